/** The finished file of a delivery profile for `cutroom export`: everything is refused before work begins, or done. */
import { rm } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import type { Profile } from '../contract/profiles/profile.ts'
import { sentencesOf } from '../contract/render-remarks.ts'
import { requireEncoder } from '../domain/rendering/clip-exports.ts'
import { exportClip } from '../domain/rendering/export-clip.ts'
import { planDelivery, requireProfile, type PlannedDelivery } from '../domain/rendering/plan-delivery.ts'
import type { HomeServices, Services } from '../domain/services.ts'
import { FORMATS } from '../interchange/index.ts'
import type { CommonOptions, Printed, Terminal } from './command.ts'
import { withServices } from './open-home.ts'
import { stopSignal } from './stop-signal.ts'
import { progressReporter } from './terminal.ts'
import { openDraft, type Draft } from './write-whole.ts'

export interface FileRequest {
  readonly clipId: string
  /** Name of the profile. */
  readonly profile: string
  readonly output: string
}

/** Throws INVALID_REQUEST, CLIP_NOT_FOUND and PROFILE_UNAVAILABLE before any work, then the failure of the export. */
export async function exportFile(
  options: CommonOptions,
  { clipId, profile: name, output }: FileRequest,
  terminal: Terminal,
): Promise<Printed> {
  const profile = requireProfile(name)
  const file = resolve(output)
  const sidecars = profile.sidecars.map((format) => ({ format, file: sidecarPath(file, format) }))
  const drafts: Draft[] = []
  try {
    drafts.push(await openDraft(file))
    for (const sidecar of sidecars) drafts.push(await openDraft(sidecar.file))
    const [own, ...beside] = drafts
    return await withServices(options, async (services) => {
      const planned = planDelivery(services, clipId, profile)
      const texts = sidecars.map(({ format }) => wordsOf(services, clipId, format))
      const made = await makeFile(services, { profile, planned, clipId, draft: own as Draft }, terminal)
      for (const [index, draft] of beside.entries()) await draft.write(texts[index]?.text ?? '')
      const remarks = sentencesOf(planned.warnings)
      const warnings = [...new Set([...remarks, ...made.warnings, ...texts.flatMap(({ notes }) => notes)])]
      const result = {
        profile: name,
        file,
        ...made.facts,
        sidecars: sidecars.map((sidecar) => sidecar.file),
        warnings,
      }
      const ending = extname(file).slice(1).toLowerCase()
      const misnamed =
        ending === profile.extension ? [] : [`Programs expect such a file to end in .${profile.extension}.`]
      return { json: result, text: [file, ...result.sidecars], notes: [...warnings, ...misnamed] }
    })
  } finally {
    for (const draft of drafts) await draft.discard()
  }
}

const sidecarPath = (file: string, format: keyof typeof FORMATS): string =>
  `${file.slice(0, file.length - extname(file).length)}.${FORMATS[format].extension}`

const wordsOf = (services: HomeServices, clipId: string, format: string) =>
  exportClip(services, { clipId, companyId: null, format, references: 'names' })

interface FileWork {
  readonly profile: Profile
  readonly planned: PlannedDelivery
  readonly clipId: string
  readonly draft: Draft
}

async function makeFile(services: Services, work: FileWork, terminal: Terminal) {
  const { profile, planned, clipId, draft } = work
  const { delivery } = profile
  if (delivery.kind === 'words') {
    const { text, notes } = wordsOf(services, clipId, delivery.format)
    await draft.write(text)
    return { facts: { bytes: Buffer.byteLength(text) }, warnings: notes }
  }
  const encoder = await requireEncoder(services, profile)
  const { makeExport } = await import('../jobs/export-clip.ts')
  const cancel = new AbortController()
  void stopSignal().then(() => cancel.abort())
  const progress = progressReporter(terminal)
  try {
    const { output, folder, path } = await makeExport(
      services,
      { planned, delivery, encoder },
      { signal: cancel.signal, onProgress: (fraction, note) => progress.update(fraction, note) },
    )
    await draft.take(path).finally(() => rm(folder, { recursive: true, force: true }))
    const { file: _inside, warnings = [], ...facts } = output
    return { facts, warnings: sentencesOf(warnings) }
  } finally {
    progress.end()
  }
}
