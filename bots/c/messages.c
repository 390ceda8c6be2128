#include "messages.h"

static void pack_text_or_empty(msgpack_packer *packer, const char *key, const char *text) {
    pack_pair(packer, key, text == NULL ? "" : text);
}

static void pack_games(msgpack_packer *packer, const char *const *games) {
    size_t count = 0;
    while (games != NULL && games[count] != NULL) {
        ++count;
    }
    pack_word(packer, "games");
    msgpack_pack_array(packer, count);
    for (size_t index = 0; index < count; ++index) {
        pack_word(packer, games[index]);
    }
}

void pack_hello(msgpack_packer *packer, const struct arena_hello *hello) {
    msgpack_pack_map(packer, 8);
    pack_pair(packer, "type", "hello");
    pack_word(packer, "protocol");
    msgpack_pack_array(packer, 2);
    msgpack_pack_int(packer, 1);
    msgpack_pack_int(packer, 0);
    pack_text_or_empty(packer, "name", hello->name);
    pack_text_or_empty(packer, "version", hello->version);
    pack_text_or_empty(packer, "language", hello->language);
    pack_games(packer, hello->games);
    pack_number(packer, "parallel", hello->parallel > 0 ? hello->parallel : 1);
    pack_word(packer, "deterministic");
    hello->deterministic ? msgpack_pack_true(packer) : msgpack_pack_false(packer);
}

static void pack_metrics(msgpack_packer *packer, const struct arena_metric *metrics) {
    size_t count = 0;
    while (metrics[count].name != NULL) {
        ++count;
    }
    msgpack_pack_map(packer, count);
    for (size_t index = 0; index < count; ++index) {
        pack_word(packer, metrics[index].name);
        msgpack_pack_double(packer, metrics[index].value);
    }
}

void pack_act(msgpack_packer *packer, msgpack_object_str game_id, int64_t turn, const struct arena_act *act) {
    msgpack_pack_map(packer, 4 + (act->note != NULL) + (act->metrics != NULL));
    pack_pair(packer, "type", "act");
    pack_word(packer, "game_id");
    pack_text(packer, game_id);
    pack_number(packer, "turn", turn);
    pack_number(packer, "index", act->index);
    if (act->note != NULL) {
        pack_pair(packer, "note", act->note);
    }
    if (act->metrics != NULL) {
        pack_word(packer, "metrics");
        pack_metrics(packer, act->metrics);
    }
}
