/**
 * Deals a finished match again from its record and compares: commitment, every deal, every lot (L2, L3).
 *
 * Written from docs/fair-deals.md alone, for the browser and for node from version 18 on. It plays no rules: whether
 * actions and points are right, `doublesix verify` says.
 */

const { subtle } = globalThis.crypto ?? (await import("node:crypto")).webcrypto;

/** False for a page that came over plain http from another machine: browsers compute no digests for it. */
export const canVerify = Boolean(subtle);

/** Tiles of a hand for two, three and four seats (F1, A1, B2). */
const HAND_SIZES = { "fives-threes": [7, 5, 5], "all-fives": [9, 7, 5], block: [7, 5, 5], draw: [7, 5, 5] };

const ascii = (text) => new TextEncoder().encode(text);
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** What is published before a match with this seed: 64 digits for 64 digits. */
export async function commitment(seed) {
  const message = joined(ascii("doublesix/1/commitment:"), fromHex(seed));
  return toHex(new Uint8Array(await subtle.digest("SHA-256", message)));
}

async function mac(key, message) {
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message));
}

/** The key from which all deals and lots of a match come, as bytes. `entropy`: its values, in their order. */
export function matchKey(seed, entropy) {
  const values = entropy.map(fromHex);
  return mac(fromHex(seed), joined(ascii("doublesix/1/match-key:"), [values.length], ...values));
}

/** A source of numbers for one purpose: the next one below a bound, each as likely as the others. */
function source(key, purpose) {
  let bytes = [];
  let block = 0;
  const next = async () => {
    if (!bytes.length) {
      const number = new DataView(new ArrayBuffer(4));
      number.setUint32(0, block++);
      bytes = [...(await mac(key, joined(ascii(`doublesix/1/stream:${purpose}`), new Uint8Array(number.buffer))))];
    }
    return bytes.shift();
  };
  return async (bound) => {
    let byte = await next();
    while (byte >= 256 - (256 % bound)) byte = await next();
    return byte % bound;
  };
}

/** The hands by seat, and the stock in the order of drawing, of the deal of that number. */
export async function deal(key, number, seats, handSize) {
  const tiles = [];
  for (let low = 0; low <= 6; low++) for (let high = low; high <= 6; high++) tiles.push(`${low}-${high}`);
  const below = source(key, `deal/${number}`);
  for (let last = tiles.length - 1; last > 0; last--) {
    const other = await below(last + 1);
    [tiles[last], tiles[other]] = [tiles[other], tiles[last]];
  }
  const hands = Array.from({ length: seats }, (_, seat) => tiles.slice(seat * handSize, (seat + 1) * handSize));
  return { hands, stock: tiles.slice(seats * handSize) };
}

/** The seat that leads the deal of that number, where the lot decides. */
export function lot(key, number, seats) {
  return source(key, `lot/lead/${number}`)(seats);
}

/** What is proved of a record, or what is wrong with it: two lists of plain lines, one of them empty. */
export async function verify(record) {
  const faults = [];
  const must = (isSo, fault) => isSo || faults.push(fault);
  try {
    const counted = await check(record, must);
    if (faults.length) return { proved: [], faults };
    const dealt = `deals and lots are those of seed and entropy, dealt again: ${counted.deals} and ${counted.lots}`;
    return { proved: [`the seed has the commitment ${record.commitment}`, dealt], faults };
  } catch (error) {
    return { proved: [], faults: [...faults, `it makes no sense: ${error.message}`] };
  }
}

async function check(record, must) {
  const { seats, game, seed, entropy, steps } = record;
  const all = [seed, record.commitment, ...entropy.map(({ value }) => value)];
  must(record.format === 1, "format: it is not 1");
  must(all.every((digits) => /^[0-9a-f]{64}$/.test(digits)), "seed, commitment, entropy: each has 64 small digits");
  must((await commitment(seed)) === record.commitment, "seed: it does not have the commitment");
  must(inOrder(entropy, record.players), "entropy: not in the order of the seats");
  const key = await matchKey(seed, entropy.map(({ value }) => value));
  const after = new Map();
  const counted = { deals: 0, lots: 0 };
  /** `number`: of the last deal. `lead`: who leads the next one, "lot", or null while none is due. */
  let state = { number: 0, lead: record.settings.lead };

  const back = ({ to }, where) => must((state = after.get(to)), `${where}.to: ${to} is no earlier step`);
  const events = {
    match_started(event, where) {
      must(event.commitment === record.commitment, `${where}.commitment: another one than the record's`);
      must(same(event.entropy, entropy), `${where}.entropy: other than the record's`);
    },
    async lot(event, where) {
      must(state.lead === "lot", `${where}: no lot is due`);
      must(event.seat === (await lot(key, state.number + 1, seats)), `${where}.seat: another one by seed and entropy`);
      state = { ...state, lead: event.seat };
      counted.lots++;
    },
    async deal_started(event, where) {
      const { hands, stock } = await deal(key, state.number + 1, seats, HAND_SIZES[game][seats - 2]);
      must(event.number === state.number + 1, `${where}.number: ${state.number + 1} is next`);
      must(event.lead === state.lead, `${where}.lead: ${state.lead ?? "no deal"} is due`);
      must(same(event.hands, hands), `${where}.hands: others by seed and entropy`);
      must(same(event.stock_tiles, stock), `${where}.stock_tiles: others by seed and entropy`);
      must(same(event.tiles, hands.map((hand) => hand.length)), `${where}.tiles: other sizes by seed and entropy`);
      must(event.stock === stock.length, `${where}.stock: another size by seed and entropy`);
      state = { number: state.number + 1, lead: null };
      counted.deals++;
    },
    deal_ended: (event) => (state = { ...state, lead: event.next_lead }),
    match_ended(event, where) {
      for (const name of ["seed", "winner", "scores"]) must(same(event[name], record[name]), `${where}.${name}: not that`);
    },
    ...{ undone: back, redone: back, restarted: back },
  };
  for (const [number, step] of steps.entries()) {
    must(step.seq === steps[0].seq + number, `step ${step.seq}: not the one after the step before`);
    for (const event of step.events) await events[event.type]?.(event, `step ${step.seq}, ${event.type}`);
    must(number || counted.deals === 1, `step ${step.seq}: the first deal is missing`);
    after.set(step.seq, state);
  }
  must(steps[0]?.events[0]?.type === "match_started", "steps: the match does not begin");
  must(steps.at(-1)?.events.at(-1)?.type === "match_ended", "steps: the match does not end");
  return counted;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether who gave entropy sits in that order: each is sought behind the one before. */
function inOrder(entropy, players) {
  let from = 0;
  const next = (player) => 1 + players.findIndex((held, at) => at >= from && held.player === player);
  return entropy.every(({ player }) => (from = next(player)) > 0);
}
