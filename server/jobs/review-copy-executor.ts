/** Executes the operation `review_copy`: the copies of one clip that open share links with a watermark lack. */
import type { Operation } from '../db/operations.ts'
import { saveShareCopy } from '../db/share-copies.ts'
import { registerRenderFile } from '../domain/runs/finish-run.ts'
import { listDueCopies } from '../domain/sharing/review-copies.ts'
import { fetchThenPlan, operationProgress } from './fetch-then-plan.ts'
import { nextTurn } from './lanes.ts'
import { renderComposition } from './render-composition.ts'
import type { Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'
import { sentencesOf } from '../contract/render-remarks.ts'

export async function executeReviewCopies(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { services } = machine
  const report = operationProgress(machine, operation)
  const tried = new Set<string>()
  const made = new Set<string>()
  // Links come and go, and the clip is edited, while it renders: what is due is looked up before each copy.
  for (;;) {
    const plan = await fetchThenPlan(machine, operation, { tried }, signal)
    if (plan === null) return { kind: 'stopped' }
    const due = listDueCopies(services, plan).filter(({ linkId, key }) => !made.has(`${linkId} ${key}`))
    const [copy] = due
    if (copy === undefined) return { kind: 'succeeded', result: null }
    const { clip } = plan
    const { linkId, watermark, key, composition } = copy
    const onProgress = (share: number): void => report((made.size + share) / (made.size + due.length))
    const rendered = await renderComposition(machine, operation, { clip, composition, onProgress }, signal)
    if (rendered.kind !== 'rendered') return rendered
    for (const reason of sentencesOf(rendered.output.warnings ?? []))
      services.log.warn('a copy for reviewers lacks something', { clip: clip.id, reason })
    await nextTurn()
    const mediaId = registerRenderFile(services, { ...clip, title: clip.document.title }, rendered)
    saveShareCopy(services.db, { linkId, clipId: clip.id, watermark, now: services.now() }, { key, mediaId })
    made.add(`${linkId} ${key}`)
  }
}
