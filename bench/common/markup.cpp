// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/markup.hpp"

#include <cstdio>
#include <fstream>

namespace mpix::markup {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: // of the others XML forbids some
            result +=
                static_cast<unsigned char>(character) < 0x20 && character != '\n' ? ' ' : character;
        }
    }
    return result;
}

} // namespace

// The colours of Okabe and Ito are for lines and areas; these are for what stands around them.
const char* const style = R"(
text { fill: #222222; font-family: sans-serif; font-size: 12px; }
.paper { fill: #ffffff; }
.grid { stroke: #d8d8d8; stroke-width: 0.5; }
.axis { stroke: #707070; stroke-width: 1; }
@media (prefers-color-scheme: dark) {
text { fill: #dddddd; }
.paper { fill: #16181c; }
.grid { stroke: #3a3d44; }
.axis { stroke: #9a9a9a; }
}
)";

const char* const page_style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1180px; padding: 0 1em; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; }
th, td { padding: 0.15em 0.8em; text-align: right; border-bottom: 1px solid #80808060; }
th:first-child, td:first-child, .setting td { text-align: left; }
pre { overflow-x: auto; font-size: 12px; }
)";

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string shortest = text;
    shortest.erase(shortest.find_last_not_of('0') + 1);
    if (shortest.back() == '.') shortest.pop_back();
    return shortest == "-0" ? "0" : shortest;
}

Element::Element(std::string_view name) : name_(name) {}

Element& Element::set(std::string_view name, std::string_view value) {
    attributes_ += " " + std::string(name) + "=\"" + escaped(value) + "\"";
    return *this;
}

Element& Element::say(std::string_view text) {
    content_ += escaped(text);
    return *this;
}

Element& Element::add(const Element& child) {
    content_ += '\n' + child.text();
    has_children_ = true;
    return *this;
}

std::string Element::text() const {
    if (content_.empty()) return "<" + name_ + attributes_ + "/>";
    return "<" + name_ + attributes_ + ">" + content_ + (has_children_ ? "\n" : "") + "</" + name_ +
           ">";
}

Element rectangle(double x, double y, double width, double height, std::string_view of_class) {
    Element element("rect");
    return element.set("class", of_class)
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", height);
}

Element line(double x, double y, double to_x, double to_y, std::string_view of_class) {
    Element element("line");
    return element.set("class", of_class).set("x1", x).set("y1", y).set("x2", to_x).set("y2", to_y);
}

Element label(double x, double y, std::string_view text, std::string_view anchor) {
    Element element("text");
    element.set("x", x).set("y", y);
    if (anchor != "start") element.set("text-anchor", anchor);
    return element.say(text);
}

Element picture(double width, double height, std::string_view text) {
    Element element("svg");
    return element.set("xmlns", "http://www.w3.org/2000/svg")
        .set("viewBox", "0 0 " + number(width) + " " + number(height))
        .set("role", "img")
        .set("aria-label", text)
        .add(rectangle(0, 0, width, height, "paper"));
}

bool write(const std::string& file, const Element& root) {
    std::ofstream to(file);
    const std::string text = root.text();
    if (text.starts_with("<html")) to << "<!DOCTYPE html>\n";
    to << text << '\n';
    to.close();
    return !to.fail();
}

} // namespace mpix::markup
