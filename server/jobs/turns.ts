/**
 * Work of the queue on the server's thread (planning, registering files, settling) runs one piece per round of the event
 * loop, so that API requests are answered in between however much work there is.
 */
const waiting: (() => void)[] = []

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Resolves when it is the caller's turn; in the order of the calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}
