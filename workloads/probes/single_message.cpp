// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/single_message.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/scc/scc_machine.h"
#include "workloads/libraries/messaging/message_bytes.h"

namespace ringmesh::workloads {

SingleMessage::SingleMessage(std::unique_ptr<Library> library, std::int64_t from, std::int64_t to, std::uint32_t size)
    : RankProgram("explain", std::move(library)), from_(from), to_(to), size_(size)
{}

void SingleMessage::prepare()
{
    pair_ = choose_pair(from_, to_);
    const auto cure = [](std::uint32_t most) { return fmt::format("--bytes {}", most); };
    used_library().require_carried(size_, "explain: a message has", cure);
    warms_up_ = dynamic_cast<SccMachine*>(&machine()) != nullptr;
    buffers_.resize(ranks());
    for (const unsigned number : {pair_.from, pair_.to}) buffers_[number] = rank(number).create_buffer(size_);
}

RankProgram::Started SingleMessage::program(unsigned number)
{
    if (number == pair_.from) return {send(), "sender"};
    if (number == pair_.to) return {receive(), "receiver"};
    return {};
}

Task<> SingleMessage::send()
{
    Rank& me = rank(pair_.from);
    co_await me.begin();
    if (warms_up_) {
        co_await send_one(pair_.from, pair_.to, message(1));
        co_await receive_one(pair_.from, pair_.to, message(2));
    }
    const Message one = message(warms_up_ ? 3 : 1);
    poke_message(me.processor(), me.address(buffers_[pair_.from]), one);
    begun_ = me.processor().time();
    const Part bytes{.buffer = buffers_[pair_.from], .offset = 0, .size = size_};
    co_await me.send(pair_.to, bytes);
}

Task<> SingleMessage::receive()
{
    Rank& me = rank(pair_.to);
    rank(pair_.to).expect(pair_.from, message(1));
    co_await me.begin();
    if (warms_up_) {
        co_await receive_one(pair_.to, pair_.from, message(1));
        co_await send_one(pair_.to, pair_.from, message(2));
    }
    co_await receive_one(pair_.to, pair_.from, message(warms_up_ ? 3 : 1));
}

Task<> SingleMessage::send_one(unsigned from, unsigned to, Message message)
{
    Rank& me = rank(from);
    poke_message(me.processor(), me.address(buffers_[from]), message);
    const Part bytes{.buffer = buffers_[from], .offset = 0, .size = size_};
    co_await me.send(to, bytes);
}

Task<> SingleMessage::receive_one(unsigned at, unsigned from, Message message)
{
    Rank& me = rank(at);
    const Part room{.buffer = buffers_[at], .offset = 0, .size = size_};
    const Received got = co_await me.receive(from, room);
    received_ = me.processor().time();
    require_message(me.processor(), me.address(buffers_[at]), message, got, from);
}

std::string SingleMessage::doing(unsigned) const { return fmt::format("{} bytes", size_); }

}  // namespace ringmesh::workloads
