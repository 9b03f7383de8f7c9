/** Asks the server for a record, on a line of its own: that of a table at another tab or behind this page stays. */

import { lineHome, Refused, Socket } from "../socket.js";

const KEPT = "reader"; // the token under which this browser reads records

/**
 * The record of that id; raises Refused. `kept` remembers the token, `onStatus(status)` is told how the line is.
 */
export async function fetchRecord(id, { kept, name, onStatus }) {
  const socket = new Socket({
    connect: lineHome,
    hello: () => ({ name, ...(kept.read(KEPT) ? { token: kept.read(KEPT) } : {}) }),
    onMessage: () => {},
    onWelcome: ({ token }) => kept.write(KEPT, token),
    onRejected: (error) => forget(error, kept),
    onStatus: ({ status }) => onStatus(status),
  });
  socket.open();
  try {
    const answer = await socket.request({ type: "record", id });
    return answer.record;
  } finally {
    socket.close();
  }
}

/** Whether hello may be said again, without the token that the server does not know any more. */
function forget(error, kept) {
  const isForgotten = error instanceof Refused && error.code === "unauthorized" && kept.read(KEPT) !== null;
  if (isForgotten) kept.write(KEPT, null);
  return isForgotten;
}
