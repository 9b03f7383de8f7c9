/** What people do at the screens before a table. */

import { isNamed, newShare } from "../acts.js";

const CODE = /^[2-9A-HJ-NP-Z]{6}$/;

/** The code that was typed, with or without spaces and dashes, or that of a link. */
function codeIn(typed) {
  const [, linked] = typed.match(/\/t\/([^/?#]+)/) ?? [];
  return (linked ?? typed).replace(/[\s\p{Pd}]/gu, "").toUpperCase();
}

/** What is done at `page`, which is that of `actsAt`. */
export function screenActs(page) {
  const { store, client, kept, go } = page;
  return {
    setForm(changes) {
      const form = { ...store.state.form, ...changes };
      kept.write("form", form);
      store.change({ form, formProblem: null });
    },
    /** Says what is wrong with a field of the form: {field, key} of a text. */
    blame(formProblem) {
      store.change({ formProblem });
      const field = document.querySelector(`[name="${formProblem.field}"]`);
      field?.closest("details")?.setAttribute("open", "");
      field?.focus();
    },
    /** Opens a table; `begins`: its match begins at once. */
    async create(settings, begins) {
      if (!isNamed(page)) return;
      const answer = await client.ask({ type: "create", settings }, (error) => {
        const [, field] = error.path?.match(/^settings\.(\w+)/) ?? [];
        if (field) store.change({ formProblem: { field, key: "setup.refused" } });
        else client.tell(error);
      });
      if (answer && begins)
        await client.ask({ type: "start", room: answer.room, entropy: newShare(answer, kept).value });
      if (answer) go(`/t/${answer.room}`);
    },
    watchTable(code) {
      client.tables.watch(code, true);
      go(`/t/${code}`);
    },
    lookForTables: () => client.openHall(),
    async quick() {
      if (!isNamed(page)) return;
      const { game, seats } = store.state.form;
      const answer = await client.ask({ type: "quick", game, seats });
      if (answer) go(`/t/${answer.room}`);
    },
    joinCode(typed) {
      const code = codeIn(typed);
      store.change({ codeWrong: !CODE.test(code) });
      if (CODE.test(code) && isNamed(page)) go(`/t/${code}`);
    },
    addBot: (seat, level) => client.askRoom("add_bot", { seat, level }),
    remove: (seat) => client.askRoom("remove", { seat }),
  };
}
