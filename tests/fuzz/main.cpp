// SPDX-License-Identifier: BSD-3-Clause
// fuzz --seed S --count N [--skip ITEM,...] [--limit SECONDS] [--multiple] [--break OPERATION]
//      [--plain] [--print | --items] [--ranks R]
//
// Runs the programs of N seeds, says which seed it is at, and at the end "N programs, M failed".
// --skip leaves items of the program out, --multiple asks for MPI_THREAD_MULTIPLE, --plain makes
// many collectives plain calls, which MPIX_AUTO=1 has run on plans, --break spoils what an
// operation of the program receives. --print and --items need no mpirun: they show the program, or
// the numbers of the items that may be skipped, for R ranks.
#include "bench/common/progress.hpp"
#include "generator.hpp"
#include "report.hpp"
#include "runner.hpp"
#include "text.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct CommandLine {
    std::uint64_t seed = 1;
    long count = 1;
    unsigned limit = 20;
    int ranks = 0; // of the run, or of the program to print
    bool multiple = false, plain = false, prints = false, lists_items = false;
    fuzz::Options options;
};

std::set<int> numbers(const char* text) {
    std::set<int> found;
    while (*text != 0) {
        char* end = nullptr;
        found.insert(static_cast<int>(std::strtol(text, &end, 10)));
        if (end == text) break;
        text = *end == ',' ? end + 1 : end;
    }
    return found;
}

bool read(CommandLine& line, int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word == "--multiple")
            line.multiple = true;
        else if (word == "--plain")
            line.plain = true;
        else if (word == "--print")
            line.prints = true;
        else if (word == "--items")
            line.lists_items = true;
        else if (i + 1 == argc)
            return false;
        else if (word == "--seed")
            line.seed = std::strtoull(argv[++i], nullptr, 10);
        else if (word == "--count")
            line.count = std::atol(argv[++i]);
        else if (word == "--skip")
            line.options.skipped = numbers(argv[++i]);
        else if (word == "--limit")
            line.limit = static_cast<unsigned>(std::atoi(argv[++i]));
        else if (word == "--ranks")
            line.ranks = std::atoi(argv[++i]);
        else if (word == "--break")
            line.options.broken = std::atoi(argv[++i]);
        else
            return false;
    }
    return true;
}

fuzz::Conditions conditions_of(const CommandLine& line, int ranks) {
    fuzz::Conditions conditions;
    conditions.ranks = ranks;
    conditions.plain = line.plain;
    conditions.open_mpi = open_mpi_version() > 0;
    const char* plan = std::getenv("MPIX_PLAN");
    conditions.delegated = plan != nullptr && std::strcmp(plan, "delegate") == 0;
    const char* check = std::getenv("MPIX_CHECK");
    conditions.checked = check != nullptr && std::strcmp(check, "1") == 0;
    return conditions;
}

bool spans_nodes(int ranks) {
    MPI_Comm node = MPI_COMM_NULL;
    int mates = 0;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    MUST(MPI_Comm_size(node, &mates));
    MUST(MPI_Comm_free(&node));
    int fewer = mates < ranks, anywhere = 0;
    MUST(MPI_Allreduce(&fewer, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    return anywhere != 0;
}

int show(const CommandLine& line) {
    const auto conditions = conditions_of(line, line.ranks);
    const fuzz::Program program = fuzz::generate(line.seed, conditions);
    if (line.prints) std::fputs(fuzz::text(program, line.options.skipped).c_str(), stdout);
    for (std::size_t i = 0; line.lists_items && i < program.items.size(); i++)
        if (program.is_optional(static_cast<int>(i))) std::printf("%zu ", i);
    return 0;
}

// Whether any rank found something wrong.
bool run_one(const CommandLine& line, const fuzz::Conditions& conditions, std::uint64_t seed,
             int rank, mpix::Progress& progress) {
    progress.erase();
    if (rank == 0) {
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::fflush(stdout);
    }
    progress.next("seed " + std::to_string(seed));
    fuzz::begin(seed);
    const fuzz::Program program = fuzz::generate(seed, conditions);
    fuzz::run(program, conditions, line.options, rank);
    int wrong = fuzz::failures(), anywhere = 0;
    MUST(MPI_Allreduce(&wrong, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    progress.erase();
    if (anywhere != 0 && rank == 0)
        std::printf("seed %llu failed\n", static_cast<unsigned long long>(seed));
    return anywhere != 0;
}

} // namespace

int main(int argc, char** argv) {
    CommandLine line;
    if (!read(line, argc, argv)) {
        std::fprintf(stderr, "fuzz: unknown or incomplete option\n");
        return 64;
    }
    if (line.prints || line.lists_items) {
        if (line.ranks > 0) return show(line);
        std::fprintf(stderr, "fuzz: --print and --items need --ranks\n");
        return 64;
    }

    int provided = 0, rank = 0, ranks = 0;
    MPI_Init_thread(&argc, &argv, line.multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fuzz::watch(rank, line.limit);
    std::vector<char> room(8 << 20); // for buffered sends
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));

    long failed = 0;
    fuzz::Conditions conditions = conditions_of(line, ranks);
    conditions.several_nodes = spans_nodes(ranks);
    mpix::Progress progress(static_cast<int>(line.count), stdout, rank == 0);
    for (long i = 0; i < line.count; i++)
        failed +=
            run_one(line, conditions, line.seed + static_cast<std::uint64_t>(i), rank, progress);
    if (rank == 0) std::printf("%ld programs, %ld failed\n", line.count, failed);
    std::fflush(stdout);
    void* attached = nullptr;
    int size = 0;
    MPI_Buffer_detach(&attached, &size);
    MPI_Finalize();
    return failed == 0 ? 0 : fuzz::exit_wrong;
}
