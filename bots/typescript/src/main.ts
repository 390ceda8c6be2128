/** What the arena starts. It stands apart from the bot, so that tests can load the bot without starting it. */
import { decide } from "./bot.js";
import { run } from "./client.js";

const name = "typescript-bot";
const about = { name, version: "1.0", language: "TypeScript", parallel: 8, deterministic: true };
await run(about, decide);
