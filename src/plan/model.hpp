// SPDX-License-Identifier: BSD-3-Clause
//
// What things cost, as the planner and its solvers see it. The same on all ranks.
#pragma once

#include "plan/cutting.hpp"
#include "plan/nodes.hpp"

#include <algorithm>
#include <cmath>

namespace mpix::plan {

// What a message costs among ranks that share so much.
struct Link {
    double latency_us = 0;
    double overhead_us = 0;
    double per_byte_us = 0;
    double taking_us = overhead_us;
};

// The machine as the planner sees it. All constants of the cost model are here.
struct Model {
    double latency_us = 0.6;         // of a message, from send to receive
    double overhead_us = 0.15;       // of posting one more message
    double taking_us = 0;            // of taking one more that has come; 0: as posting it
    double per_byte_us = 1.0 / 6000; // moving data to another rank
    double copy_us = 1.0 / 10000;    // copying a byte within the rank
    double reduce_us = 1.0 / 5000;   // combining a byte
    double crossing = 1.2;           // how much longer a byte takes where all ranks send at once
                                     // and not just to a neighbour: paths and caches are shared

    double eager_bytes = 1 << 16; // of such messages and longer ones the receiver is asked first,
    double rendezvous_us = 0;     // which takes so long
    Cutting cutting = {};         // what is done about it; of choices it decides none
    double streams = 4;           // that a network card carries side by side, each as fast as one
    double gap_us = 0.02;         // that a card needs for each message, however short
    // From node to node for one rank alone, if the others are of a mixture; else 0.
    double lone_per_byte_us = 0;
    double lone_latency_us = 0;
    double stays_in_cache = 1 << 19; // of blocks that are read side by side
    double ranks_per_core = 1;       // above 1 they take turns: while one waits others get on

    // The same of messages within a node, a socket and what shares a cache; 0: as around that.
    double node_latency_us = 0.2;
    double node_overhead_us = 0.03;
    double node_per_byte_us = 1.0 / 9000;
    double socket_latency_us = 0, socket_overhead_us = 0, socket_per_byte_us = 0;
    double cache_latency_us = 0, cache_overhead_us = 0, cache_per_byte_us = 0;

    Locality locality = Locality::network; // what all ranks at hand share

    constexpr Link link(Locality of) const {
        switch (of) {
        case Locality::network: return {latency_us, overhead_us, per_byte_us, taking()};
        case Locality::node: return {node_latency_us, node_overhead_us, node_per_byte_us};
        case Locality::socket:
            return filled({socket_latency_us, socket_overhead_us, socket_per_byte_us},
                          Locality::node);
        case Locality::cache: break;
        }
        return filled({cache_latency_us, cache_overhead_us, cache_per_byte_us}, Locality::socket);
    }
    // For ranks of several nodes, or of what is of another level: of their bytes a part crosses,
    // and of each node so many ranks send at once.
    constexpr Model of_nodes(double crossing_part, int senders, Locality nodes) const {
        Model model = between_nodes(senders);
        model.ranks_per_core = ranks_per_core;
        model.lone_per_byte_us = per_byte_us;
        model.lone_latency_us = latency_us;
        model.per_byte_us =
            crossing_part * model.per_byte_us + (1 - crossing_part) * link(nodes).per_byte_us;
        return model;
    }
    // For so many ranks of each node. One alone takes no turns; several take them to post, and the
    // card has their messages one after another: whoever posts many waits for those of the others.
    constexpr Model between_nodes(int lanes) const {
        Model model = *this;
        if (lone_per_byte_us > 0) {
            model.per_byte_us = lone_per_byte_us;
            model.latency_us = lone_latency_us;
        }
        model.lone_per_byte_us = 0;
        if (locality != Locality::network) return model; // memory has more than one card
        model.rendezvous_us = asking_receiver(); // of the node's ranks, as messages are cut by
        if (lanes == 1) model.ranks_per_core = 1;
        // Who shares a core with others sends while they do not.
        const double in_turns = lanes / model.ranks_per_core;
        const double side_by_side = in_turns < streams ? in_turns : streams;
        if (lanes > side_by_side && side_by_side > 0) model.per_byte_us *= lanes / side_by_side;
        model.taking_us = std::max(taking(), lanes * gap_us);
        model.overhead_us = std::max(overhead_us, lanes * gap_us);
        model.latency_us += (lanes - 1) * gap_us + (model.ranks_per_core - 1) * overhead_us;
        return model;
    }
    // For ranks that all share so much, and not all more.
    constexpr Model within(Locality of) const {
        Model model = *this;
        model.locality = of;
        model.lone_per_byte_us = 0;
        model.rendezvous_us = 0;
        const Link link = this->link(of);
        model.latency_us = link.latency_us;
        model.overhead_us = link.overhead_us;
        model.taking_us = link.taking_us;
        model.per_byte_us = link.per_byte_us;
        return model;
    }
    constexpr Model within_node() const { return within(Locality::node); }
    static constexpr Model of_node();

    // By its receiver. Where ranks take turns others get on until the answer is there: what counts
    // is that question and answer are posted.
    constexpr double asking_receiver() const {
        return is_crowded() ? std::min(rendezvous_us, 2 * overhead_us) : rendezvous_us;
    }
    // What a message takes more because it is long: by its receiver, or in parts.
    double asking(double bytes) const {
        if (bytes < eager_bytes || rendezvous_us <= 0) return 0;
        const double more_parts = std::floor(bytes / eager_bytes);
        const double posting = more_parts * overhead_us;
        return more_parts < most_parts ? std::min(posting, asking_receiver()) : asking_receiver();
    }
    static constexpr int most_parts = 16; // what keeps plans small, and has a tag each
    // By these constants.
    Cutting quickest_cutting() const {
        if (rendezvous_us <= 0 || overhead_us <= 0) return {};
        const auto part = static_cast<Bytes>(eager_bytes) - 1;
        const double parts =
            std::min<double>(most_parts, std::ceil(asking_receiver() / overhead_us));
        return part > 0 && parts > 1 ? Cutting{part, part * static_cast<Bytes>(parts)} : Cutting{};
    }
    double message(double bytes) const { return latency_us + asking(bytes) + bytes * per_byte_us; }
    double relayed_message(double bytes) const {
        return message(bytes) + (relaying() - 1) * bytes * per_byte_us;
    }
    // What comes to the bytes of messages that halve from the longest, or double to it.
    double halving(int messages, double longest) const {
        double sum = 0;
        for (int i = 0; i < messages; ++i, longest /= 2) sum += latency_us + asking(longest);
        return sum;
    }
    // Of messages that follow each other from rank to rank, with work on each. Where ranks take
    // turns the first is at later rounds by then: it counts what each has to do.
    double chain(int messages, double bytes, double work) const {
        return is_crowded() ? overhead_us + bytes * per_byte_us + work
                            : messages * (message(bytes) + work);
    }
    // Of the messages of one rank to many, or of many to one: side by side, if they cross.
    double to_many(int messages, double bytes) const {
        return at_once(messages, bytes, overhead_us);
    }
    double from_many(int messages, double bytes) const {
        return at_once(messages, bytes, taking());
    }
    constexpr double taking() const { return taking_us > 0 ? taking_us : overhead_us; }
    // Of one more message out and one more in.
    double exchanging() const { return overhead_us + taking(); }
    // Of so many copies within the rank: short ones share steps.
    static constexpr double short_copy = 1024;
    double copies(int count, double bytes, Locality posted_at) const {
        const double each = link(posted_at).overhead_us * (bytes <= count * short_copy ? 0.15 : 1);
        return count * each + bytes * copy_us;
    }
    constexpr bool is_crowded() const { return ranks_per_core > 1; }
    // Nothing but the ranks' own cores moves bytes. Where they take turns it is all the same who
    // does.
    bool is_by_cores() const { return locality != Locality::network && !is_crowded(); }
    // How often a byte goes through a rank that passes it on as it comes: a card brings one while
    // it takes another, a core does one after the other.
    double relaying() const { return is_by_cores() ? 2 : 1; }
    // Of a sender with one more message: within a node it takes the lines of the receiver.
    double sending() const {
        return is_by_cores() && latency_us > 2 * overhead_us ? latency_us / 2 : overhead_us;
    }
    // What that comes to beside the posting, of so many.
    double more_receivers(int count) const {
        return count > 0 ? count * (sending() - overhead_us) : 0;
    }
    double one_more_message(double bytes) const {
        return sending() + bytes * (is_by_cores() ? per_byte_us : copy_us);
    }
    // Of work that every rank has, for one that is compared with the work of few.
    constexpr double of_everyone(double work) const { return work * ranks_per_core; }

  private:
    double at_once(int messages, double bytes, double each_us) const {
        const double streams_used = messages < streams ? messages : streams;
        const bool is_side_by_side = lone_per_byte_us > 0 && streams_used > 1;
        return latency_us + asking(bytes / messages) + messages * each_us +
               bytes * per_byte_us / (is_side_by_side ? streams_used : 1);
    }
    constexpr Link filled(Link link, Locality around) const {
        const Link outer = this->link(around);
        if (link.latency_us <= 0) link.latency_us = outer.latency_us;
        if (link.overhead_us <= 0) link.overhead_us = outer.overhead_us;
        link.taking_us = link.overhead_us;
        if (link.per_byte_us <= 0) link.per_byte_us = outer.per_byte_us;
        return link;
    }
};

constexpr Model Model::of_node() { return Model{}.within_node(); }

} // namespace mpix::plan
