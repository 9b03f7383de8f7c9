import assert from "node:assert/strict";
import { test } from "node:test";

import { h, lasting, lastingEach, render } from "../../server/web/keyed.js";

/** As much of a document as rendering needs. */
class FakeNode {
  childNodes = [];
  attributes = {};
  moves = 0;

  constructor(document, tag, namespaceURI) {
    Object.assign(this, { ownerDocument: document, tag, namespaceURI });
    this.style = new FakeStyle();
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get nextSibling() {
    return this.parentNode.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null;
  }

  insertBefore(node, before) {
    node.moves += 1;
    node.remove();
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
  }

  remove() {
    const siblings = this.parentNode?.childNodes;
    if (siblings?.includes(this)) siblings.splice(siblings.indexOf(this), 1);
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  get text() {
    return this.data ?? this.childNodes.map((child) => child.text).join("");
  }
}

class FakeStyle {
  values = {};

  setProperty(name, value) {
    this.values[name] = value;
  }

  removeProperty(name) {
    delete this.values[name];
  }
}

function root() {
  const document = {
    createElement: (tag) => new FakeNode(document, tag, "html"),
    createElementNS: (namespace, tag) => new FakeNode(document, tag, namespace),
    createTextNode: () => new FakeNode(document, "text", "html"),
  };
  return document.createElement("main");
}

const item = (key, ...children) => h("li", { key }, ...children);

test("descriptions become nodes with attributes and text", () => {
  const page = root();

  render(page, [h("p", { class: "note", hidden: true, title: null }, "Score ", 7)]);

  assert.deepEqual(page.childNodes[0].attributes, { class: "note", hidden: "" });
  assert.equal(page.text, "Score 7");
});

test("a node is kept while its key is described, wherever it stands", () => {
  const page = root();
  render(page, [item("a"), item("b"), item("c")]);
  const [a, b, c] = page.childNodes;

  render(page, [item("c"), item("a"), item("new"), item("b")]);

  assert.deepEqual([page.childNodes[0], page.childNodes[1], page.childNodes[3]], [c, a, b]);
});

test("a key that another tag has now is another node", () => {
  const page = root();
  render(page, [h("b", { key: "what" })]);

  render(page, [h("s", { key: "what" })]);

  assert.deepEqual(
    page.childNodes.map(({ tag }) => tag),
    ["s"],
  );
});

test("nodes that stay in order are not moved when others go", () => {
  const page = root();
  render(page, [item("a"), item("b"), item("c")]);
  const [, b, c] = page.childNodes;

  render(page, [item("b"), item("c")]);

  assert.deepEqual([b.moves, c.moves], [1, 1]);
});

test("attributes, handlers and styles that are described no more are taken back", () => {
  const page = root();
  const press = () => {};
  render(page, [h("button", { title: "x", onclick: press, style: { color: "red", top: "1px" } })]);

  render(page, [h("button", { style: { color: "blue" } })]);

  const [button] = page.childNodes;
  assert.deepEqual([button.attributes, button.onclick, button.style.values], [{}, null, { color: "blue" }]);
});

test("what a handler gives does not undo what the press does by itself", () => {
  const page = root();
  render(page, [h("button", { onclick: () => false })]);

  assert.equal(page.childNodes[0].onclick(), undefined);
});

test("what a person typed is overwritten by the description only where they differ", () => {
  const page = root();
  render(page, [h("input", { value: "" })]);
  const [input] = page.childNodes;
  input.value = "An";

  render(page, [h("input", { value: "Ann" })]);

  assert.equal(input.value, "Ann");
});

test("drawings are made in their own namespace, with all that is in them", () => {
  const page = root();

  render(page, [h("svg", {}, h("g", {}, h("circle", { r: 1 })))]);

  assert.equal(page.childNodes[0].childNodes[0].childNodes[0].namespaceURI, "http://www.w3.org/2000/svg");
});

test("a node is told when it has come and before it goes, once each", () => {
  const page = root();
  const told = [];
  const described = () => h("div", { key: "x", attach: () => told.push("came"), detach: () => told.push("goes") });

  render(page, [described()]);
  render(page, [described()]);
  render(page, []);

  assert.deepEqual(told, ["came", "goes"]);
});

test("null, false and nested lists are no children of their own", () => {
  const page = root();

  render(page, [h("p", {}, null, false, ["a", ["b", undefined]], 0)]);

  assert.equal(page.text, "ab0");
});

test("what lasts is drawn again only from other values, and is not looked at meanwhile", () => {
  const page = root();
  const drawn = [];
  const greeting = lasting((name, colour) => {
    drawn.push(name);
    return h("p", { class: colour }, name);
  });

  for (const name of ["Ann", "Ann", "Bob"]) render(page, [greeting(name, "red"), h("hr")]);
  const [node] = page.childNodes;
  node.attributes.class = "blue"; // by somebody else
  render(page, [greeting("Bob", "red"), h("hr")]);

  assert.deepEqual(drawn, ["Ann", "Bob"]);
  assert.equal(node.text, "Bob");
  assert.equal(node.attributes.class, "blue");
});

test("what lasts is made again where it has gone meanwhile", () => {
  const page = root();
  const greeting = lasting((name) => h("p", {}, h("b", {}, name)));

  render(page, [greeting("Ann")]);
  render(page, []);
  render(page, [greeting("Ann")]);

  assert.equal(page.text, "Ann");
});

test("each of many things is drawn again only when something of its own has changed", () => {
  const [one, other] = [{ name: "Ann" }, { name: "Bob" }];
  const drawn = [];
  const greeting = lastingEach(({ name }, isLoud) => {
    drawn.push(name);
    return h("p", {}, isLoud ? `${name}!` : name);
  });

  const first = greeting(one, false);
  greeting(other, false);
  const again = greeting(one, false);
  const louder = greeting(one, true);

  assert.equal(again, first);
  assert.deepEqual(drawn, ["Ann", "Bob", "Ann"]);
  assert.deepEqual(louder.children, ["Ann!"]);
});
