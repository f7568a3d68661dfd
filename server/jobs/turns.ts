/**
 * What the queue does on the server's thread (plans, registers, settles) is done in turns: one for each round of the event
 * loop, so that every call to the API that has come in is answered before the next one, however much is going on.
 */
const waiting: (() => void)[] = []

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Resolves when it is the caller's turn, those who asked before having had theirs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}
