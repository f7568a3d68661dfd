/** Classifies the sound page by page in patches, and joins the patches' scores to events. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SOUND_EVENT_KINDS } from '../../../server/contract/source-facts.ts'
import { openCheckpoints } from '../../checkpoints.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findSoundModel } from '../../inference/find-model.ts'
import { loadSoundClassifier, type SoundClassifier } from '../../inference/sound-classifier.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readResult } from '../read-results.ts'
import { CLASSES, eventsOf } from './pure/events.ts'
import { PATCH_HOP_SECONDS, patchesOf, SAMPLE_RATE, samplesOf } from './pure/log-mel.ts'

const FILE = 'events.json'
/** Patches classified at once: half a minute. */
const PAGE = 64

type Context = StageContext<'audio'>

export const runSoundEvents: StageHandler<'sound-events'> = async (context) => {
  const model = await findSoundModel(context.modelFolders)
  const sound = await readResult(context, 'audio')
  await using wav = await openWav(join(context.input('audio'), sound.speechFile))
  await using classifier = await loadSoundClassifier(model, context)
  const scores = await scorePatches(context, wav, classifier)
  const events = SOUND_EVENT_KINDS.flatMap((kind, at) => eventsOf(kind, scores[at] ?? []))
  await writeFile(join(context.folder, FILE), JSON.stringify(events.toSorted((a, b) => a.start - b.start)))
  return { eventsFile: FILE, events: events.length, model: model.name, provider: classifier.provider }
}

/** One score per patch of the whole sound, for each kind. */
async function scorePatches(context: Context, wav: WavFile, classifier: SoundClassifier) {
  const places = SOUND_EVENT_KINDS.map((kind) =>
    CLASSES[kind].map((name) => classifier.classes.indexOf(name)).filter((place) => place >= 0),
  )
  const scores: number[][] = places.map(() => [])
  const pageSeconds = samplesOf(PAGE) / SAMPLE_RATE
  const once = await openCheckpoints(context).resumeValues<number[][]>('pages', 0, 0)
  const scorePage = async (start: number): Promise<number[][]> => {
    const patches = patchesOf(await wav.read(start, start + pageSeconds))
    if (patches.length === 0) return places.map(() => [])
    const answer = await classifier.classify(patches)
    const classes = classifier.classes.length
    const rows = Array.from({ length: Math.ceil(answer.length / classes) }, (_, row) => row * classes)
    return places.map((own) =>
      rows.map((row) => Math.max(0, ...own.map((place) => answer[row + place] ?? 0))),
    )
  }
  for (let patch = 0; ; patch += PAGE) {
    throwIfCancelled(context.signal)
    const start = patch * PATCH_HOP_SECONDS
    if (start >= wav.durationSeconds) return scores
    context.progress(start / wav.durationSeconds)
    const page = await once(() => scorePage(start))
    if (page.every((own) => own.length === 0)) return scores
    page.forEach((own, kind) => scores[kind]?.push(...own))
  }
}
