/** Does one thing to many clips: its progress, the clips that it failed for, and the way back. */
import type { PlatformFacts } from '../../server/contract/studio.ts'
import { bulk as messages } from '../messages/clips.ts'
import { createPost, deletePost, loadPostTexts } from '../publish/api.ts'
import { draftWith, emptyDraft, platformOf, postOf } from '../publish/drafts.ts'
import { deleteClip, loadClip, loadOperation, newKey, queueRender, stopOperation } from '../state/api.ts'
import { shownCompany } from '../state/company.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { downloadFile } from '../ui/copy-text.ts'
import { editClip, undoEdit } from './api.ts'
import { requestsOf, type Look } from './look.ts'

export interface Chosen {
  readonly id: string
  readonly title: string
}

export interface BulkState {
  /** Shown before the count: `Rendered`. */
  readonly does: string
  readonly done: number
  readonly of: number
  readonly failed: readonly { readonly title: string; readonly why: string }[]
  readonly running: boolean
}

/** One step of undo. */
export interface BulkStep {
  /** What was done. */
  readonly text: string
  /** Takes it back from every clip; what that came to, in a sentence. */
  readonly undo: () => Promise<string>
}

export type Bulk = ReturnType<typeof createBulk>

const POLL_MS = 1500
/** Enough to keep the appliance busy, few enough that stopping takes effect soon. */
const AT_ONCE = 4

/** Renders clips. `isLeft`: nobody waits any more, whatever becomes of it. */
function createRendering(isLeft: () => boolean) {
  /** Operations that go on. */
  const open = new Set<string>()
  let stopped = false
  // One that has ended meanwhile is refused, and stays as it is.
  const takeBack = (id: string): void => void stopOperation(id).catch(() => undefined)

  return {
    goesOn: (): boolean => open.size > 0,
    /** Takes back what goes on. */
    stop(): void {
      stopped = true
      open.forEach(takeBack)
    },
    /** Waits until it has ended. Rejects with why it failed, or that it was stopped. */
    async render({ id }: Chosen): Promise<void> {
      const { data } = await queueRender(id)
      open.add(data.id)
      if (stopped) takeBack(data.id)
      try {
        for (;;) {
          const now = await loadOperation(data.id)
          if (now.state === 'succeeded') return
          if (now.state === 'cancelled' || isLeft()) throw new Error(messages.renderCancelled)
          if (now.state === 'failed') throw new Error(now.error?.message ?? messages.renderCancelled)
          await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        }
      } finally {
        open.delete(data.id)
      }
    },
  }
}

/** Downloads the rendered file under the clip's title. */
async function downloaded({ id, title }: Chosen): Promise<void> {
  const { renderedUrl } = await loadClip(id)
  if (renderedUrl === undefined) throw new Error(messages.notRendered)
  downloadFile(renderedUrl, `${title}.mp4`)
}

/** Rejects with what could not be done; `ondone`: something was. */
async function changed(clipId: string, look: Look, editId: string, ondone: () => void): Promise<void> {
  const refused: string[] = []
  for (const request of requestsOf(look, editId)) {
    const { state, why } = await editClip(clipId, request)
    if (state === 'done') ondone()
    if (why !== null) refused.push(why)
  }
  if (refused.length > 0) throw new Error(refused.join(' '))
}

async function undoChange(editId: string): Promise<string> {
  const { restored, left } = await undoEdit(editId)
  return messages.restored(
    restored.length,
    left.map(({ title }) => title),
  )
}

/** A draft for each place, with the words that are proposed for the clip there. */
async function drafted(
  clipId: string,
  places: readonly { readonly target: string; readonly platform: PlatformFacts }[],
  ondone: (postId: string) => void,
): Promise<void> {
  const texts = await loadPostTexts(clipId)
  for (const { target, platform } of places) {
    const text = texts.find((one) => one.platform === platformOf(target))
    const draft = text === undefined ? emptyDraft() : draftWith(text)
    const { post } = await createPost(postOf(draft, { target, platform, clipId, moment: null }))
    ondone(post.id)
  }
}

async function undoDrafts(postIds: readonly string[]): Promise<string> {
  const ends = await Promise.allSettled(postIds.map(deletePost))
  const gone = ends.filter(({ status }) => status === 'fulfilled').length
  return messages.draftsDeleted(gone, postIds.length - gone)
}

/** What is done to each clip, and how all of it is taken back; null: nothing was done. */
interface Undoable {
  readonly work: (clip: Chosen) => Promise<unknown>
  readonly step: () => BulkStep | null
}

function changing(look: Look): Undoable {
  const editId = newKey()
  const done = new Set<string>()
  return {
    work: ({ id }) => changed(id, look, editId, () => done.add(id)),
    step: () =>
      done.size === 0 ? null : { text: messages.changedClips(done.size), undo: () => undoChange(editId) },
  }
}

function drafting(places: Parameters<typeof drafted>[1]): Undoable {
  const posts: string[] = []
  return {
    work: ({ id }) => drafted(id, places, (post) => posts.push(post)),
    step: () =>
      posts.length === 0 ? null : { text: messages.draftsMade(posts.length), undo: () => undoDrafts(posts) },
  }
}

/** Does `work` to each clip, a few at once, until `isStopped`. `show` is given how far it is. Never rejects. */
async function workOnEach(
  does: string,
  clips: readonly Chosen[],
  work: (clip: Chosen) => Promise<unknown>,
  { isStopped, show }: { isStopped: () => boolean; show: (state: BulkState) => void },
): Promise<void> {
  let now: BulkState = { does, done: 0, of: clips.length, failed: [], running: true }
  show(now)
  const left = [...clips]
  const worker = async (): Promise<void> => {
    for (let clip = left.shift(); clip !== undefined && !isStopped(); clip = left.shift()) {
      const { title } = clip
      const why = await work(clip).then(() => null, sentence)
      const failed = why === null ? now.failed : [...now.failed, { title, why }]
      now = { ...now, done: now.done + 1, failed }
      show(now)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  show({ ...now, running: false })
}

/** `onstep`: something was done that can be taken back. */
export function createBulk(onchange: () => void, onstep: (step: BulkStep) => void = () => undefined) {
  let state = $state.raw<BulkState | null>(null)
  let steps = $state.raw<readonly BulkStep[]>([])
  /** What the page says of the last step, or of its undoing. */
  let said = $state.raw<{ readonly text: string; readonly step: BulkStep | null } | null>(null)
  let stopped = false
  let isStopped = (): boolean => stopped
  let rendering = createRendering(() => isStopped())

  async function each(
    does: string,
    clips: readonly Chosen[],
    work: (clip: Chosen) => Promise<unknown>,
  ): Promise<void> {
    stopped = false
    said = null
    const company = shownCompany()
    // The clips of a company that is no longer shown are out of reach.
    isStopped = () => stopped || shownCompany() !== company
    const show = (now: BulkState): void => void (state = now)
    await workOnEach(does, clips, work, { isStopped: () => isStopped(), show })
    onchange()
  }

  /** The toast says it; the list stays for what failed. */
  function remember(step: BulkStep): void {
    steps = [...steps, step]
    said = { text: step.text, step }
    if (state?.failed.length === 0) state = null
    onstep(step)
  }

  /** Nothing more is begun, and renders that were are taken back. */
  function stop(): void {
    stopped = true
    rendering.stop()
  }

  async function undo(step?: BulkStep): Promise<void> {
    // Renders are no step of their own once they are done: what can be taken back of them is what goes on.
    if (step === undefined && rendering.goesOn()) return stop()
    const last = step ?? steps.at(-1)
    if (last === undefined || !steps.includes(last)) return
    steps = steps.filter((one) => one !== last)
    said = { text: messages.undoing, step: null }
    said = { text: await last.undo().catch(sentence), step: null }
    onchange()
  }

  const idle = (work: () => Promise<void>): Promise<void> =>
    state?.running === true ? Promise.resolve() : work()

  const undoable = (does: string, clips: readonly Chosen[], { work, step }: Undoable): Promise<void> =>
    idle(async () => {
      await each(does, clips, work)
      const made = step()
      if (made !== null) remember(made)
    })

  return {
    /** The latest bulk action; null before the first. */
    get state() {
      return state
    },
    get said() {
      return said
    },
    /** Whether this step can still be taken back. */
    has: (step: BulkStep): boolean => steps.includes(step),
    undo,
    render: (clips: readonly Chosen[]) =>
      idle(async () => {
        rendering = createRendering(() => isStopped())
        let done = 0
        await each(messages.rendered, clips, (clip) => rendering.render(clip).then(() => (done += 1)))
        // A file is of a clip as it is set: what is undone is how it is set.
        if (done > 0) said = { text: messages.rendersStay(done), step: null }
      }),
    download: (clips: readonly Chosen[]) => idle(() => each(messages.downloaded, clips, downloaded)),
    remove: (clips: readonly Chosen[]) =>
      idle(() => each(messages.deleted, clips, ({ id }) => deleteClip(id))),
    change: (clips: readonly Chosen[], look: Look) => undoable(messages.changed, clips, changing(look)),
    draft: (clips: readonly Chosen[], places: Parameters<typeof drafting>[0]) =>
      undoable(messages.drafted, clips, drafting(places)),
    stop,
    dismiss: () => void (state = null),
    hush: () => void (said = null),
  }
}
