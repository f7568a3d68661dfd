/**
 * Sends corrections of words to the appliance in order. They wait while it does not answer, also across a reload, and
 * are merged with corrections of other people.
 */
import type { StudioWord } from '../../server/contract/studio-editor.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { call, clipPath, json, newKey } from '../state/api.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { storeJson, loadJson, type Store } from '../state/stored-json.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { saving as messages } from '../messages/editor.ts'
import type { WordSpan } from '../../server/nodes/editing/phrases.ts'

/** Corrections of words, or other words in place of all. */
export type WordChange = readonly WordOperation[] | AllWords

export interface AllWords {
  readonly all: readonly TranscriptWord[]
}

/** A change of words and its inverse. */
export interface Correction {
  readonly again: WordChange
  readonly back: WordChange
}

const isAll = (change: WordChange): change is AllWords => 'all' in change

export interface CorrectionsOf {
  readonly id: string
  readonly storage: Store
  /** The saved words, as last read. */
  readonly now: () => {
    readonly words: readonly StudioWord[]
    readonly etag: string
    /** Name of the person who edited last; null: another program. */
    readonly by: string | null
  }
  readonly send: typeof sendWords
  /** Reads the words anew. */
  readonly renew: () => Promise<void>
  /** What waits now, and a sentence while something is wrong. */
  readonly report: (waiting: readonly WordOperation[], problem: string | null) => void
  readonly wait: (milliseconds: number) => Promise<void>
}

const TRY_AGAIN_MS = 3000
const APPLIANCE_AWAY = messages.correctionsWait

const key = (id: string): string => `cutroom-words:${id}`

/** The words as they are once these operations are done: each stays at its place. PURE. */
export function corrected(
  words: readonly StudioWord[],
  operations: readonly WordOperation[],
): readonly StudioWord[] {
  if (operations.length === 0) return words
  const last = new Map(operations.map(({ index, to }) => [index, to]))
  return words.map((word) => {
    const to = last.get(word.index)
    if (to === undefined) return word
    return to === '' ? { ...word, isDeleted: true } : { ...word, word: to, isDeleted: false }
  })
}

/** Whether the words are still what a correction was made on. PURE. */
function isStillBasedOn(words: readonly StudioWord[], { back }: Correction): boolean {
  if (isAll(back)) {
    const isSame = ({ word, isDeleted }: StudioWord, index: number): boolean =>
      back.all[index]?.word === word && (back.all[index]?.isDeleted ?? false) === isDeleted
    return back.all.length === words.length && words.every(isSame)
  }
  const there = new Map(words.map(({ index, word, isDeleted }) => [index, isDeleted ? '' : word]))
  return back.every(({ index, to }) => there.get(index) === to)
}

const loadCorrections = (store: Store, id: string): Correction[] =>
  (loadJson(store, key(id)) as Correction[] | null) ?? []

const isAway = (error: unknown): boolean =>
  !(error instanceof RequestRefused) || [0, 429].includes(error.status) || error.status >= 500

/** Sends stored corrections at once. */
export function createCorrections(of: CorrectionsOf) {
  interface Waiting {
    readonly correction: Correction
    readonly done: (problem: string | null) => void
  }
  let queue: readonly Waiting[] = loadCorrections(of.storage, of.id).map((correction) => ({
    correction,
    done: () => undefined,
  }))
  let busy = false
  let closed = false

  function storeAndReport(problem: string | null): void {
    const waiting = queue.map(({ correction }) => correction)
    // Where the storage is full, they wait in this page only and are sent all the same.
    storeJson(of.storage, key(of.id), waiting.length === 0 ? null : waiting)
    of.report(
      waiting.flatMap(({ again }) => (isAll(again) ? [] : again)),
      problem,
    )
  }

  /** Null when it is done; a sentence when it never will be. Rejects while the appliance is away. */
  async function store(correction: Correction): Promise<string | null> {
    for (;;) {
      const { words, etag } = of.now()
      // Already applied by a request whose response was lost.
      if (isStillBasedOn(words, { again: correction.back, back: correction.again })) return null
      if (!isStillBasedOn(words, correction)) return messages.wordsChanged(of.now().by)
      try {
        await of.send(of.id, { change: correction.again, etag })
        return null
      } catch (error) {
        if (isAway(error)) throw error
        if (!(error instanceof RequestRefused && error.status === 412)) return sentence(error)
        // Somebody else may have corrected other words: then both corrections apply.
        await of.renew()
        if (of.now().etag === etag) return messages.wordsChanged(of.now().by)
      }
    }
  }

  async function pump(): Promise<void> {
    if (busy) return
    busy = true
    for (let next = queue[0]; next !== undefined && !closed; next = queue[0]) {
      try {
        const problem = await store(next.correction)
        await of.renew()
        queue = queue.slice(1)
        storeAndReport(problem)
        next.done(problem)
      } catch {
        storeAndReport(APPLIANCE_AWAY)
        await of.wait(TRY_AGAIN_MS)
      }
    }
    busy = false
  }

  if (queue.length > 0) {
    storeAndReport(null)
    void pump()
  }
  return {
    /** Resolves when the appliance has it: with null, or with why it never will. */
    send: (correction: Correction) =>
      new Promise<string | null>((done) => {
        queue = [...queue, { correction, done }]
        storeAndReport(null)
        void pump()
      }),
    /** Stops sending; waiting corrections stay stored for the next time. */
    close: () => void (closed = true),
  }
}

/** Puts words in the place of the word with this index; none takes it out of the captions. */
export interface WordOperation {
  readonly index: number
  readonly to: string
}

/** All in one request, made on the words with this ETag; RequestRefused with status 412 when there are newer ones. */
export const sendWords = (
  id: string,
  { change, etag }: { readonly change: WordChange; readonly etag: string },
): Promise<unknown> =>
  isAll(change)
    ? call(`${clipPath(id)}/words`, json('PUT', { words: change.all, etag }))
    : call(
        `/clips/${encodeURIComponent(id)}/transcript`,
        json('PATCH', { operations: change }, { 'if-match': etag, 'idempotency-key': newKey() }),
      )

const LEAD = /^[^\p{L}\p{N}]*/u
const TRAIL = /[^\p{L}\p{N}]*$/u

/**
 * Puts `to` in the place of each span: its first word takes the text with the marks around the span, the others leave the
 * captions. An empty text takes the span out of the captions.
 */
export function replaceOperations(
  words: readonly StudioWord[],
  spans: readonly WordSpan[],
  to: string,
): WordOperation[] {
  const plain = to.trim()
  return spans.flatMap(({ first, last }) => {
    const head = words[first]
    const tail = words[last]
    if (head === undefined || tail === undefined) return []
    const lead = plain === '' ? '' : (LEAD.exec(head.word)?.[0] ?? '')
    const trail = plain === '' || /[.,!?;:]$/u.test(plain) ? '' : (TRAIL.exec(tail.word)?.[0] ?? '')
    const others = words.slice(first + 1, last + 1).filter(({ isDeleted }) => !isDeleted)
    return [
      { index: head.index, to: `${lead}${plain}${trail}` },
      ...others.map(({ index }) => ({ index, to: '' })),
    ]
  })
}

/** Operations that make the words what they are now, after these. */
export function inverseOf(
  words: readonly StudioWord[],
  operations: readonly WordOperation[],
): WordOperation[] {
  const touched = new Set(operations.map(({ index }) => index))
  return words
    .filter(({ index }) => touched.has(index))
    .map(({ index, word, isDeleted }) => ({ index, to: isDeleted ? '' : word }))
}
