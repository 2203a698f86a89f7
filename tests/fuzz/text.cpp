// SPDX-License-Identifier: BSD-3-Clause
// What a reader of a failure needs: every argument of every rank at each initialisation.
#include "text.hpp"

namespace fuzz {
namespace {

template<class Values>
std::string list(const Values& values) {
    std::string text;
    for (const auto value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return "[" + text + "]";
}

std::string comm_text(const Program& program, int number) {
    using Made = Communicator::Made;
    const Communicator& comm = program.comms[at(number)];
    static const char* const names[] = {"world", "split",      "cartesian",
                                        "graph", "dist_graph", "inter"};
    std::string text = "comm " + std::to_string(number) + " of world ranks ";
    const auto middle = comm.members.begin() + comm.first_group;
    text += list(std::vector<int>(comm.members.begin(), middle));
    if (comm.is_inter()) text += " and " + list(std::vector<int>(middle, comm.members.end()));
    if (comm.copied) return text + ", dup of comm " + std::to_string(comm.parent);
    text += std::string(", ") + names[static_cast<std::size_t>(comm.made)] + " from comm " +
            std::to_string(comm.parent);
    if (comm.made == Made::cartesian)
        text += ", dims " + list(comm.dims) + ", periods " + list(comm.periods);
    if (comm.made == Made::graph || comm.made == Made::dist_graph)
        for (int member = 0; member < comm.size(); member++) {
            text += "\n        rank " + std::to_string(member);
            text += " sources " + list(comm.sources[at(member)]);
            text += " destinations " + list(comm.destinations[at(member)]);
        }
    return text;
}

std::string side_text(const Types& types, const char* name, const Side& side) {
    if (side.use == Use::ignored) return "";
    std::string text = std::string("\n            ") + name + " ";
    if (side.use == Use::junk) return text + "junk";
    if (side.use == Use::in_place)
        text += side.spoiled ? "in place, other arguments spoiled: " : "in place ";
    if (side.types.empty())
        text += (side.counts.empty() ? std::to_string(side.count) : list(side.counts)) + " of " +
                types.text(side.type);
    for (std::size_t b = 0; b < side.types.size(); b++)
        text += "\n                " + std::to_string(side.counts[b]) + " of " +
                types.text(side.types[b]);
    if (!side.places.empty()) text += " at " + list(side.places);
    if (!side.parts.empty()) text += " in partitions " + list(side.parts);
    return text;
}

std::string message_text(const Operation& operation) {
    static const char* const modes[] = {"send", "ssend", "bsend", "rsend"};
    const Message& message = operation.message;
    std::string text = message.persistent_send ? "persistent " : "";
    text += modes[static_cast<std::size_t>(message.mode)];
    text += " from member " + std::to_string(message.from) + " to ";
    text += std::to_string(message.to) + (message.persistent_recv ? " (persistent" : " (plain");
    text += message.any_source ? ", any source" : "";
    text += message.any_tag ? ", any tag)" : ")";
    static const char* const bindings[] = {"", "bound", "bound without waiting", "channel_init"};
    if (message.is_channel())
        text += std::string(", channel: ") + bindings[static_cast<int>(message.send_binding)] +
                " to " + bindings[static_cast<int>(message.recv_binding)] + ", slack " +
                std::to_string(message.slack);
    if (operation.is_partitioned()) text += ", partitioned";
    const bool persistent = message.persistent_send || message.persistent_recv;
    if (persistent && operation.form == Form::persistent_c) text += ", large counts";
    return text;
}

std::string operation_text(const Program& program, int number) {
    const Operation& operation = program.operations[at(number)];
    static const char* const forms[] = {"_init", "_init_c", " nonblocking", " blocking",
                                        "_init partitioned"};
    std::string text = "operation " + std::to_string(number) + ": ";
    if (operation.kind == Kind::message)
        text += message_text(operation);
    else
        text += std::string(facts(operation.kind).name) +
                forms[static_cast<std::size_t>(operation.form)];
    text += " on comm " + std::to_string(operation.comm);
    if (operation.root >= 0) text += ", root member " + std::to_string(operation.root);
    if (facts(operation.kind).reduces) {
        text += std::string(", ") + name(operation.function);
        if (is_user(operation.function))
            text += operation.says_commutative ? " (commutes)" : " (does not commute)";
    }
    return text;
}

std::string arguments_text(const Program& program, int number) {
    const Operation& operation = program.operations[at(number)];
    std::string text;
    for (std::size_t member = 0; member < operation.arguments.size(); member++) {
        const Arguments& arguments = operation.arguments[member];
        const std::string sides = side_text(program.types, "send", arguments.send) +
                                  side_text(program.types, "recv", arguments.recv);
        if (sides.empty() || facts(operation.kind).send == Shape::none) continue;
        text += "\n        member " + std::to_string(member) + sides;
    }
    return text;
}

} // namespace

std::string brief(const Program& program, int number) {
    static const char* const names[] = {"feature: test calls anywhere",
                                        "feature: ranks start and complete late",
                                        "feature: datatypes and ops freed early",
                                        "feature: all kinds of completion calls",
                                        "feature: other buffers between rounds",
                                        "make",
                                        "free",
                                        "blocking",
                                        "init",
                                        "free request",
                                        "start",
                                        "tell of the ready receive",
                                        "wait until buffers are started",
                                        "complete",
                                        "start bundle",
                                        "complete bundle",
                                        "barrier",
                                        "allreduce",
                                        "bcast",
                                        "duplicate and free",
                                        "sendrecv",
                                        "token"};
    const Item& item = program.items[at(number)];
    std::string text = "item " + std::to_string(number) + ": ";
    text += names[static_cast<std::size_t>(item.action)];
    if (is_on_operation(item.action)) {
        text += " " + operation_text(program, item.subject);
        if (item.action != Action::init && item.action != Action::check)
            text += ", round " + std::to_string(item.round);
    } else if (item.action == Action::token) {
        text += " from " + std::to_string(item.from) + " to " + std::to_string(item.to);
    } else if (is_on_bundle(item.action)) {
        text += " " + std::to_string(item.subject) + ":";
        for (const auto [operation, round] : program.bundles[at(item.subject)])
            text += " operation " + std::to_string(operation) + " round " + std::to_string(round);
    } else if (item.subject >= 0) {
        text += " comm " + std::to_string(item.subject);
    }
    return text;
}

std::string text(const Program& program, const std::set<int>& skipped) {
    std::string text;
    for (std::size_t i = 0; i < program.items.size(); i++) {
        const auto number = static_cast<int>(i);
        if (!program.keeps(skipped, number)) continue;
        const Item& item = program.items[i];
        text += "    " + brief(program, number);
        if (item.action == Action::make) text += " = " + comm_text(program, item.subject);
        if (item.action == Action::init) text += arguments_text(program, item.subject);
        if (item.action == Action::complete && item.to >= 0)
            text += " (member " + std::to_string(item.to) + " after the next token, member " +
                    std::to_string(item.from) + " before)";
        text += "\n";
    }
    return text;
}

} // namespace fuzz
