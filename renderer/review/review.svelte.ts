/** The state of an open Review: the run with its clips as the appliance has them, and what people do to them. */
import type { FindRequest, ReviewClip, ReviewState, StudioReview } from '../../server/contract/review.ts'
import { follow } from '../state/live.ts'
import { cancelRun, resumeRun } from '../state/api.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { createAttempt, sentence } from '../ui/attempt.svelte.ts'
import { loadReview, mergeClips, pickAgain, pickRange, renderKept, sendDecisions } from './api.ts'
import { stepBack, toggled, withDecisions, type Decision } from './decisions.ts'
import { createSteps } from './steps.svelte.ts'

export type Review = ReturnType<typeof openReview>

/** Follows the run until `close`. */
export function openReview(runId: string) {
  let loaded = $state.raw<StudioReview | null>(null)
  /** Why there is nothing to show. */
  let problem = $state<string | null>(null)
  /** The last reading failed; what is shown is older. */
  let stale = $state(false)
  let pending = $state.raw<ReadonlyMap<string, ReviewState>>(new Map())
  const steps = createSteps((step) => void send(step))
  const attempt = createAttempt()
  let latest = 0

  async function refresh(): Promise<void> {
    const own = ++latest
    try {
      const next = await loadReview(runId)
      if (own !== latest) return
      loaded = next
      problem = null
      stale = false
    } catch (error) {
      if (own !== latest) return
      if (loaded === null) problem = sentence(error)
      stale = !(error instanceof RequestRefused && error.status === 401)
    }
  }
  const leave = follow(
    ({ type }) => /^(run|clip|render|pick)\./.test(type),
    () => void refresh(),
  )

  const clips = $derived(withDecisions(loaded?.clips ?? [], pending))

  /** Shown at once; taken back where the appliance refuses. */
  async function send(decisions: readonly Decision[]): Promise<boolean> {
    pending = new Map([...pending, ...decisions.map(({ clipId, review }) => [clipId, review] as const)])
    const done = await attempt.run(() => sendDecisions(runId, { decisions: [...decisions] }))
    await refresh()
    const settled = decisions.filter(({ clipId, review }) => pending.get(clipId) === review)
    const ids = new Set(settled.map(({ clipId }) => clipId))
    pending = new Map([...pending].filter(([id]) => !ids.has(id)))
    return done
  }

  async function decide(clipIds: readonly string[], review: ReviewState): Promise<void> {
    const back = stepBack(clips, clipIds, review)
    if (back.length === 0) return
    steps.add(back)
    const done = await send(back.map(({ clipId }) => ({ clipId, review })))
    if (!done) steps.drop(back)
  }

  /** A request whose outcome is read again. */
  const requested = async (work: () => Promise<unknown>): Promise<boolean> => {
    const done = await attempt.run(work)
    await refresh()
    return done
  }

  return {
    runId,
    get loaded() {
      return loaded
    },
    get clips(): readonly ReviewClip[] {
      return clips
    },
    get problem() {
      return problem
    },
    get stale() {
      return stale
    },
    /** The last request, and why it failed. */
    attempt,
    get canUndo() {
      return steps.canUndo
    },
    refresh,
    /** Keeps or rejects a clip; the same again takes it back. */
    toggle(clip: ReviewClip, wanted: Exclude<ReviewState, 'undecided'>): void {
      void decide([clip.id], toggled(clip.review, wanted))
    },
    /** Keeps or rejects all of these, as one step of undo. */
    decide: (clipIds: readonly string[], wanted: ReviewState): void => void decide(clipIds, wanted),
    remember: steps.add,
    undo: steps.undo,
    ...requestsOf(runId, requested),
    close: leave,
  }
}

/** What is requested of the run; each resolves to whether it was accepted. */
const requestsOf = (runId: string, requested: (work: () => Promise<unknown>) => Promise<boolean>) => ({
  pick: (wanted: FindRequest) => requested(() => pickAgain(runId, wanted)),
  makeClip: (range: { start: number; end: number }) => requested(() => pickRange(runId, range)),
  merge: (clipIds: readonly string[]) => requested(() => mergeClips(runId, clipIds)),
  renderKept: () => requested(() => renderKept(runId)),
  stop: () => requested(() => cancelRun(runId)),
  resume: () => requested(() => resumeRun(runId)),
})
