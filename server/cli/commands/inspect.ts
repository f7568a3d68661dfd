import { basename, resolve } from 'node:path'
import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { localFileSource } from '../../domain/runs/start-run.ts'
import { INSPECTION_PARTS, type InspectionPart } from '../../domain/runs/plan/plan-inspection.ts'
import { requireCompany, studioCompany } from '../../domain/people/companies.ts'
import { NOBODY, recogniseVoices } from '../../domain/voices/recognise.ts'
import { openHome, type Home } from '../../home.ts'
import { useKey } from '../../secrets.ts'
import type { Inspection, InspectionRequest } from '../../jobs/inspect-source.ts'
import { defineCommand, optional } from '../command.ts'
import { createCommandLog } from '../command-log.ts'
import { configInForce } from '../model-servers.ts'
import { commandConfig, openBesideAppliance } from '../open-home.ts'
import { stopSignal } from '../stop-signal.ts'
import { progressReporter, table } from '../terminal.ts'

/** What the appliance hears and sees in a file and would choose from it. */
export const inspect = defineCommand({
  summary: 'Show what is heard and seen in a file and which clips would be chosen; renders nothing',
  positionals: ['FILE'],
  options: {
    what: optional('LIST', `some of ${INSPECTION_PARTS.join(',')} (all)`),
    speakers: optional('N', 'how many people speak, where it is known'),
    captions: optional('FILE', 'a .srt or .vtt with its words'),
    aspect: optional('RATIO', 'ratio for framing (9:16)'),
    style: optional('NAME', 'style for framing, such as style_two (adaptive)'),
    prompt: optional('TEXT', 'what the clips should be about'),
    company: optional('ID', 'whose named voices are recognised (that of the studio)'),
  },
  examples: {
    'cutroom inspect talk.mp4': 'A summary of every part, and what could not be looked at.',
    'cutroom inspect talk.mp4 --what speakers,clips --captions talk.srt --json':
      'One object: { "speakers": [{ start, end, speaker, name? }], "clips": […], "warnings": […] }; seconds, pixels.',
  },
  run: async ({ options, positionals, terminal }) => {
    const request = {
      parts: readParts(options.what),
      speakers: readCount(options.speakers),
      source: readSource(positionals[0] ?? '', options.captions),
      prompt: options.prompt ?? '',
      ...omitUndefined({ aspect: options.aspect, style: options.style }),
    }
    const config = commandConfig(options)
    const log = createCommandLog('warn', options.json, terminal)
    const home = openHome(config.home)
    const names = openNames(home, config, options.company)
    const { inspectSource } = await import('../../jobs/inspect-source.ts')
    const progress = progressReporter(terminal)
    const cancel = new AbortController()
    void stopSignal().then(() => cancel.abort())
    try {
      const onProgress = (fraction: number, note: string): void => progress.update(fraction, note)
      const found = await inspectSource(
        { config: await configInForce(config), home, log },
        { ...request, recognise: names.recognise },
        { signal: cancel.signal, onProgress },
      )
      return { json: found, text: summarise(found), notes: options.json ? [] : found.warnings }
    } finally {
      names.close()
      progress.end()
    }
  },
})

/** Finds named voices in the home's database, where there is one. The studio's company may be missing, a named one may not. */
function openNames(home: Home, config: Config, companyId: string | undefined) {
  const nobody = (warnings: readonly string[] = []) => ({
    recognise: () => ({ names: new Map<number, string>(), warnings }),
    close: () => undefined,
  })
  if (companyId === undefined && !existsSync(home.database)) return nobody()
  useKey(home, config)
  try {
    const db = openBesideAppliance(home)
    const company = companyId === undefined ? studioCompany({ db }) : requireCompany({ db }, companyId)
    return {
      recognise: (voices: Parameters<InspectionRequest['recognise']>[0]) =>
        company === null ? NOBODY : recogniseVoices({ db, home }, company.id, voices),
      close: () => db.close(),
    }
  } catch (error) {
    if (companyId !== undefined || !(error instanceof AppError)) throw error
    return nobody([`Named voices were not looked for. ${error.message}`])
  }
}

const isPart = (name: string): name is InspectionPart => INSPECTION_PARTS.some((part) => part === name)

function readParts(list: string | undefined): ReadonlySet<InspectionPart> {
  if (list === undefined) return new Set(INSPECTION_PARTS)
  const names = list.split(',').map((name) => name.trim())
  const parts = names.filter(isPart)
  const unknown = names.find((name) => !isPart(name))
  if (unknown === undefined) return new Set(parts)
  throw invalidRequest('what', `"${unknown}" cannot be inspected; these can: ${INSPECTION_PARTS.join(', ')}.`)
}

const MAX_SPEAKERS = 20

function readCount(text: string | undefined): number {
  if (text === undefined) return 0
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SPEAKERS) return count
  throw invalidRequest('speakers', `--speakers is a whole number from 1 to ${MAX_SPEAKERS}.`)
}

function readSource(path: string, captions: string | undefined) {
  const source = localFileSource(path)
  if (captions === undefined) return source
  if (!/\.(srt|vtt)$/i.test(captions) || statSync(captions, { throwIfNoEntry: false })?.isFile() !== true)
    throw invalidRequest('captions', `${basename(captions)} is no .srt or .vtt file that is there.`)
  return { ...source, captions: resolve(captions) }
}

type Stretch = { readonly start: number; readonly end: number }

/** How much of each part there is, with the clips and voices one a line; everything else is for `--json`. */
const SUMMARIES: Readonly<Record<InspectionPart, (value: never) => string[]>> = {
  voice: (stretches: readonly Stretch[]) => [
    `${totalSeconds(stretches)} s of voice in ${stretches.length} stretches`,
  ],
  speakers: (turns: readonly (Stretch & { speaker: number; name?: string })[]) =>
    [...Map.groupBy(turns, ({ speaker }) => speaker)]
      .toSorted(([a], [b]) => a - b)
      .map(
        ([speaker, own]) =>
          `${own[0]?.name ?? `Speaker ${speaker + 1}`} speaks for ${totalSeconds(own)} s in ${own.length === 1 ? 'one turn' : `${own.length} turns`}`,
      ),
  faces: ({ tracks }: { tracks: readonly unknown[] }) => [`${tracks.length} tracks of faces`],
  framing: ({ samples }: { samples: readonly { panes: readonly unknown[] }[] }) =>
    [...Map.groupBy(samples, ({ panes }) => panes.length)]
      .toSorted(([a], [b]) => a - b)
      .map(
        ([count, own]) =>
          `${percent(own.length / samples.length)} in ${count === 1 ? 'one view' : `${count} panes`}`,
      ),
  shots: (shots: readonly Stretch[]) => [shots.length === 1 ? 'one shot' : `${shots.length} shots`],
  sounds: (events: readonly (Stretch & { label: string })[]) =>
    events.map(({ label, start, end }) => `${start.toFixed(1)}–${end.toFixed(1)} s ${label}`),
  words: (words: readonly { text: string }[]) => [`${words.length} words`],
  clips: (clips: readonly (Stretch & { score: number; title: string })[]) =>
    clips.map(
      ({ start, end, score, title }) =>
        `${start.toFixed(1)}–${end.toFixed(1)} s, score ${Math.round(score)}: ${title}`,
    ),
}

function summarise(found: Inspection): string[] {
  return table(
    INSPECTION_PARTS.flatMap((part) => {
      const value = found[part]
      if (value === undefined) return []
      const lines = SUMMARIES[part](value as never)
      return (lines.length === 0 ? ['none'] : lines).map((line, index) => [index === 0 ? part : '', line])
    }),
  )
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const totalSeconds = (stretches: readonly Stretch[]): string =>
  stretches.reduce((sum, { start, end }) => sum + end - start, 0).toFixed(1)
