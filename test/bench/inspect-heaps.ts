/** What lives in the heaps of another process of Node, by its inspector, which SIGUSR1 opens on loopback. */
import { setTimeout as pause } from 'node:timers/promises'

/** Node's default port. https://nodejs.org/api/cli.html#--inspect-porthostport */
const INSPECTOR = 'http://127.0.0.1:9229/json'
const OPENS_IN_MS = 10_000

type Answer = Readonly<Record<string, unknown>>
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly sessionId: string; readonly message: string }
  readonly result?: Answer
}

export interface Collected {
  /** Bytes that live in each heap: of the main thread, then of the others. */
  readonly heaps: readonly number[]
  /** Bytes of memory that the process holds. */
  readonly resident: number
}

/** Memory of a process right after each of its heaps was collected. */
export async function collectHeaps(pid: number): Promise<Collected> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorOf())
  await new Promise((opened) => (socket.onopen = opened))
  const { ask, threads } = conversation(socket)
  try {
    if ((await valueOf(ask, 'process.pid')) !== pid) throw new Error(`${INSPECTOR} is another process's`)
    await ask('NodeWorker.enable', { waitForDebuggerOnStart: false })
    // Threads are reported one by one, and no message marks the last.
    await pause(500)
    const heaps: number[] = []
    for (const one of [ask, ...threads()]) {
      await one('HeapProfiler.collectGarbage')
      heaps.push(Number(await valueOf(one, 'process.memoryUsage().heapUsed')))
    }
    return { heaps, resident: Number(await valueOf(ask, 'process.memoryUsage.rss()')) }
  } finally {
    // The next process needs the same port.
    await valueOf(ask, `setTimeout(() => process.getBuiltinModule('inspector').close(), 50) && 0`)
    socket.close()
    await pause(500)
  }
}

async function inspectorOf(): Promise<string> {
  for (const began = performance.now(); ;) {
    const [target] = await fetch(INSPECTOR).then(
      (answer) => answer.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => [],
    )
    if (target !== undefined) return target.webSocketDebuggerUrl
    if (performance.now() - began > OPENS_IN_MS) throw new Error('No inspector has opened.')
    await pause(100)
  }
}

type Ask = (method: string, params?: Answer) => Promise<Answer>

async function valueOf(ask: Ask, expression: string): Promise<unknown> {
  const { result } = await ask('Runtime.evaluate', { expression, returnByValue: true })
  return (result as { value?: unknown } | undefined)?.value
}

/** https://chromedevtools.github.io/devtools-protocol/ and, for threads, Node's own domain NodeWorker. */
function conversation(socket: WebSocket): { ask: Ask; threads: () => Ask[] } {
  const waiting = new Map<string, (answer: Answer) => void>()
  const sessions: string[] = []
  let last = 0
  const hear = (from: string, { id, result = {} }: Message): void => waiting.get(`${from} ${id}`)?.(result)
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    const { method, params } = message
    if (params !== undefined && method === 'NodeWorker.attachedToWorker') sessions.push(params.sessionId)
    else if (params !== undefined && method === 'NodeWorker.receivedMessageFromWorker')
      hear(params.sessionId, JSON.parse(params.message) as Message)
    else hear('main', message)
  })
  const asking =
    (to: string, send: (id: number, method: string, params: Answer) => void): Ask =>
    (method, params = {}) =>
      new Promise((answered) => {
        last += 1
        waiting.set(`${to} ${last}`, answered)
        send(last, method, params)
      })
  const ask = asking('main', (id, method, params) => socket.send(JSON.stringify({ id, method, params })))
  const threads = (): Ask[] =>
    sessions.map((sessionId) =>
      asking(sessionId, (id, method, params) => {
        const message = JSON.stringify({ id, method, params })
        void ask('NodeWorker.sendMessageToWorker', { sessionId, message })
      }),
    )
  return { ask, threads }
}
