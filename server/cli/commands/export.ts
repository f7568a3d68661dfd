import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { deliveredProfile } from '../../nodes/index.ts'
import { exportClip } from '../../domain/rendering/export-clip.ts'
import { requireHomeClip } from '../../domain/rendering/plan-delivery.ts'
import { EXPORT_FORMATS, FORMATS } from '../../interchange/index.ts'
import { defineCommand, EXIT, optional, type CommonOptions, type Printed, type Terminal } from '../command.ts'
import { exportFile } from '../export-file.ts'
import { withServices } from '../open-home.ts'

/** A clip for another program, or as a finished file. */
export const exportCommand = defineCommand({
  summary:
    'Write a clip as the finished file of a delivery profile, as a timeline for an editing program, or its words as captions or text',
  positionals: ['CLIP_ID'],
  options: {
    profile: optional(
      'NAME',
      'a delivery profile; `cutroom profiles list` has them. Without it, the one that the clip asks for',
    ),
    format: optional('FORMAT', EXPORT_FORMATS.join(', ')),
    output: optional('FILE', 'write it there; a format goes to stdout without it'),
  },
  examples: {
    'cutroom export CLIP_ID --profile broadcast-r128-25i --output clip.mxf':
      'The finished file, made from the source; progress is on stderr, Ctrl-C leaves nothing.',
    'cutroom export CLIP_ID --profile prores-422-hq --output clip.mov --json':
      '{ "profile", "file", "bytes", "width", "height", "durationSeconds", "sidecars", "warnings", ... }',
    'cutroom export CLIP_ID --format otio --output clip.otio':
      'A timeline for DaVinci Resolve and others; what it cannot hold is told on stderr.',
    'cutroom export CLIP_ID --format srt': 'The captions of the clip as it is cut.',
    'cutroom export CLIP_ID --format edl --output clip.edl --json': '{ "format", "label", "file", "notes" }',
  },
  run: async ({ options, positionals, terminal }) => {
    const { format, profile, output } = options
    const clipId = positionals[0] ?? ''
    if (format !== undefined && profile !== undefined) throw new AppError('INVALID_USAGE', WHICH)
    if (format !== undefined) return exportFormat(options, { clipId, format, output }, terminal)
    if (output === undefined)
      throw new AppError(
        'INVALID_USAGE',
        profile === undefined ? WHICH : '--output is needed: a finished file has a place.',
      )
    const wanted = profile ?? (await withServices(options, ({ db }) => profileOfClip(db, clipId)))
    return await exportFile(options, { clipId, profile: wanted, output }, terminal)
  },
})

const WHICH = 'Give --profile for a finished file, or --format for another program.'

/** The profile that the clip itself asks for. Throws CLIP_NOT_FOUND, and INVALID_USAGE where it asks for none. */
function profileOfClip(db: Db, clipId: string): string {
  const profile = deliveredProfile(requireHomeClip(db, clipId).document)
  if (profile === null) throw new AppError('INVALID_USAGE', `${WHICH} The clip itself asks for no profile.`)
  return profile
}

async function exportFormat(
  options: CommonOptions,
  wanted: { readonly clipId: string; readonly format: string; readonly output: string | undefined },
  terminal: Terminal,
): Promise<Printed | number> {
  const { clipId, format, output } = wanted
  const request = { clipId, companyId: null, format, references: 'paths' } as const
  const { text, notes } = await withServices(options, (services) => exportClip(services, request))
  if (output !== undefined) await writeFile(output, text)
  if (options.json) {
    const { label } = FORMATS[format as keyof typeof FORMATS]
    const written = output === undefined ? { text } : { file: resolve(output) }
    terminal.out(JSON.stringify({ format, label, ...written, notes }))
    return EXIT.done
  }
  if (output === undefined) terminal.out(text.replace(/\n$/u, ''))
  for (const note of notes) terminal.note(note)
  return EXIT.done
}
