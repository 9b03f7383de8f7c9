/**
 * What is heard and felt at the table. Every sound is made here, of a few notes; none says what is not seen as well.
 *
 * A note is {wave, from, to, at, lasts, loud}: "noise" or the form of an oscillator, from one pitch (hertz) to another,
 * `at` seconds from now for `lasts` seconds, `loud` from 0 to 1.
 */

const STEP = 0.085; // seconds
const SCALE = [523, 587, 659, 784, 880, 1047, 1175, 1319]; // hertz: the steps of a score
const SHAKE = 60; // milliseconds
const LIMIT = { threshold: -6, knee: 0, ratio: 20, attack: 0.001, release: 0.1 }; // decibels, seconds

const TILE = [
  { wave: "noise", from: 2600, to: 1500, at: 0, lasts: 0.05, loud: 0.8 },
  { wave: "sine", from: 260, to: 120, at: 0, lasts: 0.09, loud: 0.7 },
];
const DRAWN = [{ wave: "noise", from: 900, to: 2400, at: 0, lasts: 0.12, loud: 0.4 }];
const KNOCK = [0, 0.13].flatMap((at) => [
  { wave: "sine", from: 150, to: 70, at, lasts: 0.1, loud: 1 },
  { wave: "noise", from: 500, to: 300, at, lasts: 0.03, loud: 0.5 },
]);
const TURN = [chime(659, 0, 0.35), chime(988, 0.11, 0.5)];
const DEAL_OVER = [chime(392, 0, 0.5), chime(523, 0.12, 0.5), chime(659, 0.24, 0.8)];
const REACTION = [{ wave: "sine", from: 420, to: 840, at: 0, lasts: 0.1, loud: 0.5 }];

function chime(pitch, at, lasts) {
  return { wave: "triangle", from: pitch, to: pitch, at, lasts, loud: 0.45 };
}

/** What is heard of `event`, an event of the room or {type: "own_turn"}, by who has these settings. */
export function notesFor(event, settings) {
  const { sounds, soundTiles, soundScores, soundTurn, soundReactions } = settings;
  if (!sounds) return [];
  switch (event.type) {
    case "played":
      return [...(soundTiles ? TILE : []), ...(soundScores ? steps(event.points) : [])];
    case "drew":
      return soundTiles ? DRAWN : [];
    case "knocked":
      return soundTiles ? KNOCK : [];
    case "deal_ended":
      return soundScores ? DEAL_OVER : [];
    case "own_turn":
      return soundTurn ? TURN : [];
    case "reacted":
      return soundReactions ? REACTION : [];
    default:
      return [];
  }
}

/** One step up for each point. */
function steps(points) {
  return SCALE.slice(0, points).map((pitch, number) => ({ ...chime(pitch, 0.1 + number * STEP, 0.12), loud: 0.35 }));
}

/** The sounds of a page that has these `settings()`. They may begin, and begin again, only at a press, such as this one. */
export function soundsFromThisPress(settings) {
  const sounds = new Sounds();
  const wake = () => settings().sounds && sounds.wake();
  for (const press of ["pointerup", "keydown"]) document.addEventListener(press, wake);
  wake();
  return sounds;
}

/** The loudspeaker and the motor of the device, where it has them. */
export class Sounds {
  #context = null;
  #noise = null;
  #limiter = null;

  /** A press: browsers let sound begin, and begin again, only at one. */
  wake() {
    if (typeof AudioContext !== "function") return;
    this.#context ??= new AudioContext();
    if (this.#context.state !== "running") this.#context.resume().catch(() => {}); // it stays silent, that is all
  }

  /** Lets `event` be heard and felt as `settings` want it. */
  tell(event, settings) {
    if (event.type === "own_turn" && settings.vibration) navigator.vibrate?.(SHAKE);
    if (this.#context?.state !== "running") return;
    for (const note of notesFor(event, settings)) this.#play(note, settings.volume);
  }

  #play({ wave, from, to, at, lasts, loud }, volume) {
    const context = this.#context;
    const start = context.currentTime + at;
    const source = wave === "noise" ? this.#noiseSource() : context.createOscillator();
    const pitched = wave === "noise" ? context.createBiquadFilter() : source;
    pitched.type = wave === "noise" ? "bandpass" : wave;
    pitched.frequency.setValueAtTime(from, start);
    pitched.frequency.exponentialRampToValueAtTime(to, start + lasts);
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(Math.max(0.0001, loud * volume ** 2), start + 0.005);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
    if (source !== pitched) source.connect(pitched);
    pitched.connect(gain).connect(this.#way());
    source.start(start);
    source.stop(start + lasts);
  }

  /** The way to the loudspeaker, on which what sounds at once is held so low that nothing of it is cut off. */
  #way() {
    if (!this.#limiter) {
      this.#limiter = this.#context.createDynamicsCompressor();
      for (const [name, value] of Object.entries(LIMIT)) this.#limiter[name].value = value;
      this.#limiter.connect(this.#context.destination);
    }
    return this.#limiter;
  }

  #noiseSource() {
    const context = this.#context;
    if (!this.#noise) {
      this.#noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
      const samples = this.#noise.getChannelData(0);
      for (let place = 0; place < samples.length; place += 1) samples[place] = Math.random() * 2 - 1;
    }
    const source = context.createBufferSource();
    source.buffer = this.#noise;
    return source;
  }
}
