// SPDX-License-Identifier: BSD-3-Clause
//
// Writing SVG, and HTML that is XML too: elements, and what pictures have in common. Knows nothing
// of what is drawn, and no MPI.
#pragma once

#include <string>
#include <string_view>

namespace mpix::markup {

std::string number(double value); // two decimals at most

// One element, written from its first attribute to its last child.
class Element {
  public:
    explicit Element(std::string_view name);

    Element& set(std::string_view name, std::string_view value);
    Element& set(std::string_view name, double value) { return set(name, number(value)); }
    Element& say(std::string_view text);
    Element& add(const Element& child);
    std::string text() const; // on lines of its own, if it has children

  private:
    std::string name_, attributes_, content_;
    bool has_children_ = false;
};

// A picture's parts. Classes are those of style, or the user's own.
Element rectangle(double x, double y, double width, double height, std::string_view of_class);
Element line(double x, double y, double to_x, double to_y, std::string_view of_class);
// The anchor: start, middle, end.
Element label(double x, double y, std::string_view text, std::string_view anchor = "start");
// It is as wide as what it stands in permits. Its text is for those who do not see it.
Element picture(double width, double height, std::string_view text);

// Style sheet: .paper behind all, .grid, .axis; text in ink; for light and dark surroundings.
extern const char* const style;
extern const char* const page_style; // of HTML around them

// A picture or a page as a file, false if it cannot be written. The page needs nothing but itself.
bool write(const std::string& file, const Element& root);

} // namespace mpix::markup
