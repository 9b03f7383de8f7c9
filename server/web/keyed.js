/**
 * What the page is made with, whatever it shows: nodes from descriptions, the focus, motion, and parts that come later.
 *
 * `h` describes a node, `render` makes the children of a node match descriptions. A node is kept as long as its tag and
 * its key (or, without one, its place among its tag) are still described, so focus, animations and pointer capture
 * survive.
 */

const SLIP = 500; // milliseconds
const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected"]);
const OWN_WORDS = new Set(["key", "attach", "detach"]);

/** What each node was made from. */
const described = new WeakMap();

/**
 * A description. `attrs` are attributes, `on...` handlers (what they give means nothing), `style` (an object), `key`, and `attach` / `detach`: called
 * with the node when it has come into its parent, and before it goes. Children that are null or false are left out.
 */
export function h(tag, attrs, ...children) {
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, attrs: attrs ?? {}, children: shown };
}

/** Makes the children of `parent` those of `children`, keeping the nodes that it made before. */
export function render(parent, children) {
  const wanted = withKeys(children);
  const kept = new Map();
  for (const node of [...parent.childNodes]) {
    const key = described.get(node)?.key;
    if (wanted.has(key)) kept.set(key, node);
    else discard(node);
  }
  let place = parent.firstChild;
  for (const [key, child] of wanted) {
    const old = kept.get(key);
    const node = old ?? created(parent, child);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, key, child);
    if (!old) child.attrs?.attach?.(node);
  }
}

/**
 * `draw`, which gives its last description again as long as the values it is drawn from are the same ones: then
 * nothing of it is looked at. They have to be all that it is drawn from.
 */
export function lasting(draw) {
  let before = [];
  let description = null;
  return (...values) => {
    const isSame = values.length === before.length && values.every((value, at) => value === before[at]);
    if (!isSame) description = draw(...values);
    before = values;
    return description;
  };
}

/** The same for each of many objects, which is the first of the values. */
export function lastingEach(draw) {
  const kept = new WeakMap();
  return (one, ...values) => {
    if (!kept.has(one)) kept.set(one, lasting(draw));
    return kept.get(one)(one, ...values);
  };
}

function withKeys(children) {
  const counts = new Map();
  const wanted = new Map();
  for (const child of children) {
    const tag = child.tag ?? "text";
    const count = counts.get(tag) ?? 0;
    counts.set(tag, count + 1);
    wanted.set(`${tag} ${child.attrs?.key ?? `#${count}`}`, child);
  }
  return wanted;
}

function created(parent, child) {
  const document = parent.ownerDocument;
  if (!child.tag) return document.createTextNode("");
  const drawn = child.tag === "svg" || parent.namespaceURI === SVG;
  return drawn ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
}

function update(node, key, child) {
  const before = described.get(node);
  if (before?.child === child && child.tag) return;
  described.set(node, { key, child });
  if (!child.tag) {
    if (node.data !== String(child)) node.data = String(child);
    return;
  }
  updateAttributes(node, before?.child.attrs ?? {}, child.attrs);
  if (child.children.length || node.firstChild) render(node, child.children);
}

function updateAttributes(node, before, after) {
  for (const name of Object.keys(before)) if (!(name in after)) setAttribute(node, name, before[name], null);
  for (const [name, value] of Object.entries(after)) {
    // What a person has typed or ticked is in the node alone, so it is compared with the node.
    if (value !== before[name] || PROPERTIES.has(name)) setAttribute(node, name, before[name], value);
  }
}

function setAttribute(node, name, before, value) {
  if (OWN_WORDS.has(name)) return;
  if (name === "style") setStyle(node, before ?? {}, value ?? {});
  else if (name.startsWith("on")) node[name] = value && withoutAnswer(value);
  else if (PROPERTIES.has(name)) {
    if (node[name] !== value) node[name] = value ?? "";
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

/** A handler that gave false would undo what the press does by itself, such as a Tab. */
function withoutAnswer(handler) {
  return (event) => {
    handler(event);
  };
}

function setStyle(node, before, after) {
  for (const name of Object.keys(before)) if (!(name in after)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(after)) {
    if (value !== before[name]) node.style.setProperty(name, value);
  }
}

function discard(node) {
  const child = described.get(node)?.child;
  child?.attrs?.detach?.(node);
  node.remove();
}

/**
 * Draws by `draw` and keeps the focus in the page: where what had it has gone, or can be pressed no more, it goes to the
 * first of `places` (selectors) that takes it. Who had it nowhere is given none.
 */
export function keepFocus(draw, places) {
  const hadFocus = document.activeElement !== document.body;
  draw();
  if (hadFocus && !isFocused()) focusFirst(places);
}

/** Gives the focus to the first of `places` (selectors) that takes it. */
export function focusFirst(places) {
  for (const place of places) {
    const node = document.querySelector(place);
    node?.focus({ preventScroll: true });
    if (node && document.activeElement === node) return;
  }
}

/** Whether anything has the focus that is not about to lose it. */
function isFocused() {
  const { activeElement, body } = document;
  return activeElement !== body && !activeElement.disabled;
}

/**
 * Lets `node`, which has just come, take no press at first: that may be meant for what was in its place before.
 */
export function takeNoSlip(node) {
  node.inert = true;
  setTimeout(() => {
    node.inert = false;
  }, SLIP);
}

const BRACKETS = { BracketLeft: "[", BracketRight: "]" };

/**
 * The key that was pressed; where it writes no Latin sign, the one that stands in its place. Null with Ctrl, Alt or Meta,
 * for those belong to the browser.
 */
export function plainKey({ key, code = "", ctrlKey, altKey, metaKey }) {
  if (ctrlKey || altKey || metaKey) return null;
  if (key !== "Dead" && !/^[^\0-\x7f]$/.test(key)) return key;
  return code.match(/^(?:Key|Digit)(.)$/)?.[1].toLowerCase() ?? BRACKETS[code] ?? key;
}

/** Parts of the page that are loaded when they are wanted, by name: `loaders` gives for each what loads its module. */
export class Parts {
  #modules = new Map();

  /** `onCome()`: a module has come; `onMissing()`: one has not. */
  constructor(loaders, { onCome, onMissing }) {
    Object.assign(this, { loaders, onCome, onMissing });
  }

  /** The module of that part, if it has come. */
  come(name) {
    return this.#modules.get(name);
  }

  /** The module of that part, or null until it has come. */
  wanted(name) {
    if (!this.#modules.has(name)) this.#load(name);
    return this.#modules.get(name);
  }

  async #load(name) {
    this.#modules.set(name, null);
    try {
      this.#modules.set(name, await this.loaders[name]());
    } catch {
      this.#modules.delete(name); // without a line: wanted again, it is asked for again
      this.onMissing();
      return;
    }
    this.onCome();
  }
}

/** The module that comes, once these style sheets have come too. */
export async function styled(module, ...names) {
  const [come] = await Promise.all([module, ...names.map(styleSheet)]);
  return come;
}

/** Comes when that style sheet has come to the page. */
function styleSheet(name) {
  const href = fileOf(`${name}.css`);
  const link = document.querySelector(`link[href="${href}"]`) ?? addStyleSheet(href);
  if (link.sheet) return null;
  return new Promise((come, fail) => {
    link.addEventListener("load", come);
    link.addEventListener("error", () => {
      link.remove(); // wanted again, it is fetched again
      fail(new Error(`${href} did not come`));
    });
  });
}

function addStyleSheet(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.querySelector("link[data-last]").before(link); // which has the last word
  return link;
}

/** The path of a file beside this one, among those of the same version. */
function fileOf(name) {
  return new URL(name, import.meta.url).pathname;
}

/** Shakes what fits `selector` once, for so many milliseconds. */
export function shake(selector, duration) {
  const frames = ["none", "translateX(-4px)", "translateX(4px)", "none"].map((transform) => ({ transform }));
  document.querySelector(selector)?.animate(frames, { duration });
}

/** Motion never holds anybody up: a press brings all of it to its end. */
export function endMotion() {
  for (const animation of document.getAnimations()) {
    const { target } = animation.effect;
    const isEndless = animation.effect.getComputedTiming().endTime === Infinity;
    if (!isEndless && !target.closest(".countdown")) animation.finish();
  }
}
