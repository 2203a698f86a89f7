// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/progress.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace mpix {

namespace {

struct Process {
    std::string name;
    int parent = 0;
};

// As /proc tells: "12 (a name) S 11 ...".
Process process_of(const std::string& id) {
    std::ifstream file("/proc/" + id + "/stat");
    std::string text;
    std::getline(file, text, '\0');
    const auto open = text.find('('), close = text.rfind(')');
    if (open == text.npos || close == text.npos || close + 4 > text.size()) return {};
    return {text.substr(open + 1, close - open - 1), std::atoi(text.c_str() + close + 4)};
}

// The launcher that this process has on this machine, or itself.
std::string whose_terminal() {
    std::string id = "self";
    for (Process process = process_of(id); process.parent > 0; process = process_of(id)) {
        for (const std::string_view known : {"mpirun", "mpiexec", "orterun", "prterun"})
            if (process.name.starts_with(known)) return id;
        id = std::to_string(process.parent);
    }
    return "self";
}

// The columns of the terminal that a file of the process is, or 0.
std::size_t columns_of(const std::string& process, int file) {
    constexpr std::size_t usual = 80;
    const std::string name = "/proc/" + process + "/fd/" + std::to_string(file);
    struct stat about {};
    if (stat(name.c_str(), &about) != 0 || !S_ISCHR(about.st_mode)) return 0;
    const int opened = open(name.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0) return 0;
    winsize size{};
    const bool is_terminal = isatty(opened) != 0;
    const bool is_known = ioctl(opened, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    close(opened);
    return !is_terminal ? 0 : is_known ? size.ws_col : usual;
}

bool is_dumb() {
    const char* const kind = std::getenv("TERM");
    return kind && std::string_view(kind) == "dumb"; // cannot erase
}

std::string duration(double seconds) {
    const auto text = [](double value, const char* unit) {
        return std::to_string(std::lround(value)) + unit;
    };
    if (seconds < 100) return text(seconds, " s");
    return seconds < 6000 ? text(seconds / 60, " min") : text(seconds / 3600, " h");
}

} // namespace

Progress::Progress(int pieces, std::FILE* printed_on, bool speaks) : pieces_(pieces) {
    if (!speaks || is_dumb()) return;
    const std::string process = whose_terminal();
    columns_ = columns_of(process, STDERR_FILENO);
    if (columns_ == 0) return;
    to_ = columns_of(process, fileno(printed_on)) > 0 ? printed_on : stderr;
}

void Progress::next(const std::string& piece) {
    if (begun_++ == 0) began_ = Clock::now();
    piece_ = piece;
    show();
}

std::string Progress::text() const {
    const int done = begun_ - 1;
    std::string text =
        std::to_string(done) + " of " + std::to_string(pieces_) + " done, now " + piece_;
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (done > 0) text += ", about " + duration(seconds / done * (pieces_ - done)) + " left";
    return text;
}

void Progress::show() {
    if (!to_) return;
    erase();
    std::fputs(text().substr(0, columns_ - 1).c_str(), to_);
    std::fflush(to_);
    is_shown_ = true;
}

void Progress::erase() {
    if (!is_shown_) return;
    std::fputs("\r\033[K", to_);
    std::fflush(to_);
    is_shown_ = false;
}

} // namespace mpix
