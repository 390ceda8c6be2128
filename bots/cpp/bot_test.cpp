// The bot's own tests: `bot_test decisions` asks the players without a referee, `bot_test vectors FOLDER…` reads the
// golden vectors in the first of these folders that is there.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bot.hpp"
#include "kosmos.hpp"
#include "ravensburger.hpp"

using nlohmann::json;

namespace {

constexpr int SKIPPED = 77; // as CMakeLists.txt says
int failures = 0;

void check(bool holds, const std::string &what) {
    if (!holds) {
        std::cerr << "FAILED: " << what << '\n';
        ++failures;
    }
}

// What a frame means. nlohmann's own msgpack is used to write frames, so that our own code is not checked by itself.
json meaning(const msgpack::object &object) {
    switch (object.type) {
    case msgpack::type::NIL:
        return nullptr;
    case msgpack::type::BOOLEAN:
        return object.via.boolean;
    case msgpack::type::POSITIVE_INTEGER:
        return object.via.u64;
    case msgpack::type::NEGATIVE_INTEGER:
        return object.via.i64;
    case msgpack::type::FLOAT32:
    case msgpack::type::FLOAT64:
        return object.via.f64;
    case msgpack::type::STR:
        return object.as<std::string>();
    case msgpack::type::ARRAY: {
        json list = json::array();
        for (const auto &item : object.as<std::vector<msgpack::object>>()) {
            list.push_back(meaning(item));
        }
        return list;
    }
    case msgpack::type::MAP: {
        json map = json::object();
        for (const auto &[key, value] : object.as<std::map<std::string, msgpack::object>>()) {
            map[key] = meaning(value);
        }
        return map;
    }
    default:
        throw msgpack::type_error();
    }
}

std::vector<char> bytes(const std::string &hex) {
    std::vector<char> result;
    for (std::size_t place = 0; place < hex.size(); place += 2) {
        result.push_back(static_cast<char>(std::stoi(hex.substr(place, 2), nullptr, 16)));
    }
    return result;
}

msgpack::object_handle unpacked(const std::vector<char> &frame) {
    return msgpack::unpack(frame.data(), frame.size());
}

// Whether `whole` has all fields of `part`: a type of ours writes fields that a message leaves out.
bool within(const json &part, const json &whole) {
    if (part.is_object() && whole.is_object()) {
        const auto fields = part.items();
        return std::all_of(fields.begin(), fields.end(), [&](const auto &field) {
            return whole.contains(field.key()) && within(field.value(), whole[field.key()]);
        });
    }
    if (part.is_array() && whole.is_array() && part.size() == whole.size()) {
        return std::equal(part.begin(), part.end(), whole.begin(), within);
    }
    return part == whole;
}

// A frame through one of our types and back again.
template <class T> json again(const msgpack::object &object) {
    msgpack::sbuffer buffer;
    msgpack::pack(buffer, object.as<T>());
    return meaning(*msgpack::unpack(buffer.data(), buffer.size()));
}

// What a bot's message says together with the defaults of what it leaves out.
template <class T> json whole(const json &message) {
    msgpack::sbuffer buffer;
    msgpack::pack(buffer, T());
    json result = meaning(*msgpack::unpack(buffer.data(), buffer.size()));
    result.update(message);
    return result;
}

// The types by the beginning of a vector's name, or by a message's type.
using Again = std::map<std::string, std::function<json(const msgpack::object &)>>;
const Again MESSAGES = {{"hello", again<arena::Hello>},     {"act", again<arena::Act>},
                        {"welcome", again<arena::Welcome>}, {"start", again<arena::Start>},
                        {"decide", again<arena::Decide>},   {"fault", again<arena::Fault>},
                        {"end", again<arena::End>}};
const std::map<std::string, Again> DATA = {{"kosmos.json",
                                            {{"edition", again<kosmos::Edition>},
                                             {"action", again<kosmos::Action>},
                                             {"event", again<kosmos::Event>},
                                             {"view", again<kosmos::View>}}},
                                           {"ravensburger.json",
                                            {{"edition", again<ravensburger::Edition>},
                                             {"action", again<ravensburger::Action>},
                                             {"event", again<ravensburger::Event>},
                                             {"view", again<ravensburger::View>}}}};

void check_vector(const std::string &file, const json &vector) {
    const std::string name = vector["name"];
    const auto frame = bytes(vector["hex"]);
    const auto object = unpacked(frame);
    json expected = vector["json"];
    check(meaning(*object) == expected, file + " " + name + " is decoded to its JSON");
    const bool data = DATA.contains(file);
    const Again &types = data ? DATA.at(file) : MESSAGES;
    const auto type = types.find(data ? name.substr(0, name.find('-')) : expected["type"].get<std::string>());
    if (type == types.end() || name.find("later") != std::string::npos) {
        return; // without a type of ours, or with fields that we do not know yet
    }
    const json ours = type->second(*object);
    if (type->first == "hello" || type->first == "act") {
        check(ours == (type->first == "act" ? whole<arena::Act>(expected) : whole<arena::Hello>(expected)),
              file + " " + name + " is written so that it means its JSON");
        return;
    }
    expected.erase("type"); // is no field of what only comes in
    check(within(expected, ours), file + " " + name + " goes through our types unchanged");
}

// A malformed frame must not be answered, and must cause no more than an exception.
void check_malformed(const json &vector) {
    const auto frame = bytes(vector["hex"]);
    arena::Session session(make_player);
    try {
        check(!session.take(frame.data(), frame.size()), vector["name"].get<std::string>() + " is not answered");
    } catch (const std::exception &) { // by which `main` ends the bot
    }
}

int vectors(const std::vector<std::string> &folders) {
    for (const auto &folder : folders) {
        if (!std::filesystem::is_directory(folder)) {
            continue;
        }
        int count = 0;
        for (const auto &entry : std::filesystem::directory_iterator(folder)) {
            const auto file = entry.path().filename().string();
            if (entry.path().extension() != ".json" || file == "zmtp.json") { // that is for bots without a library
                continue;
            }
            std::ifstream stream(entry.path());
            for (const auto &vector : json::parse(stream)) {
                file == "malformed.json" ? check_malformed(vector) : check_vector(file, vector);
                ++count;
            }
        }
        check(count > 0, "there are vectors in " + folder);
        std::cerr << count << " vectors of " << folder << '\n';
        return failures == 0 ? 0 : 1;
    }
    std::cerr << "skipped: no folder with golden vectors\n";
    return SKIPPED;
}

// The answer of a new session to a start and a decision.
std::int64_t decided(const std::string &game, const json &edition, const json &view, const json &actions) {
    arena::Session session(make_player);
    const auto take = [&](const json &message) {
        const auto frame = json::to_msgpack(message);
        return session.take(reinterpret_cast<const char *>(frame.data()), frame.size());
    };
    const json seed = 18446744073709551615U;
    take({{"type", "start"}, {"game_id", "g"}, {"game", game}, {"edition", edition}, {"seat", 0}, {"bot_seed", seed}});
    const auto act = take({{"type", "decide"}, {"game_id", "g"}, {"turn", 7}, {"view", view}, {"actions", actions}});
    check(act && act->game_id == "g" && act->turn == 7, game + ": the answer names its game and turn");
    return act ? act->index : -1;
}

void kosmos_is_played() {
    const json edition = R"({"board": {"legs": [[["train", "ship"]], "elephant"]}})"_json;
    const json stay = R"({"do": "stay"})"_json;
    const json slow = R"({"do": "travel", "days": 9, "die": false})"_json;
    const json quick = R"({"do": "travel", "days": 6, "die": false})"_json;
    const json later = R"({"do": "fly", "days": "none"})"_json;
    const json travel = R"({"phase": "travel"})"_json;
    check(decided("kosmos", edition, travel, {stay, slow, quick}) == 2, "the quickest leg is travelled");
    check(decided("kosmos", edition, travel, {stay, later, quick}) == 2, "an unknown kind of action is passed over");
    check(decided("kosmos", edition, travel, {stay, later}) == 0, "without a leg it stays");

    const json strict = R"({"parameters": {"late_first_loses": true}})"_json;
    const json home = R"({"do": "travel", "to": "London", "days": 6, "die": false})"_json;
    const json late = R"({"phase": "travel", "days": [75, 0]})"_json;
    const json in_time = R"({"phase": "travel", "days": [74, 0]})"_json;
    const json of_three = R"({"phase": "travel", "days": [75, 0, 0]})"_json;
    check(decided("kosmos", strict, late, {stay, home}) == 0, "of two, it does not come home late");
    check(decided("kosmos", strict, in_time, {stay, home}) == 1, "it comes home in time");
    check(decided("kosmos", strict, of_three, {stay, home}) == 1, "of three, it comes home late");
    check(decided("kosmos", edition, late, {stay, home}) == 1, "late where the edition has no such rule");

    const json take = R"({"phase": "take", "city": [0], "hand": ["t3"]})"_json;
    const json train = R"({"do": "take", "place": "event", "card": "t2"})"_json;
    const json ship = R"({"do": "take", "place": "first", "card": "s4"})"_json;
    const json slow_ship = R"({"do": "take", "place": "first", "card": "s6"})"_json;
    check(decided("kosmos", edition, take, {train, slow_ship, ship}) == 2, "the leg's cheapest missing card is taken");
}

void ravensburger_is_played() {
    const json view = R"({"phase": "turn", "square": [10], "hand": ["coach-2", "train-5", "purse"]})"_json;
    const json near = R"({"do": "play", "card": "coach-2", "to": 12})"_json;
    const json far = R"({"do": "play", "card": "coach-5", "to": 15})"_json;
    const json back = R"({"do": "play", "card": "coach-5", "to": 5})"_json;
    const json two = R"({"do": "draw", "count": 2})"_json;
    check(decided("ravensburger", {}, view, {near, far, back, two}) == 1, "the longest stride is taken");
    check(decided("ravensburger", {}, view, {back, two}) == 1, "rather two cards than a step back");
    const json coach = R"({"do": "rose", "to": "coach"})"_json;
    const json train = R"({"do": "rose", "to": "train"})"_json;
    check(decided("ravensburger", {}, view, {coach, train}) == 1, "the rose lies where the longest card is");
}

void anything_is_played() {
    const json view = json::object();
    const json actions = R"([{"do": "a"}, {"do": "b"}, {"do": "c"}])"_json;
    const auto first = decided("another", {}, view, actions);
    check(first >= 0 && first < 3, "an unknown game is answered with something allowed");
    check(decided("another", {}, view, actions) == first, "the same seed gives the same answer");
}

} // namespace

int main(int count, char **words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    if (arguments.size() > 1 && arguments[0] == "vectors") {
        return vectors({arguments.begin() + 1, arguments.end()});
    }
    kosmos_is_played();
    ravensburger_is_played();
    anything_is_played();
    return failures == 0 ? 0 : 1;
}
