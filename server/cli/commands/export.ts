import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportClip } from '../../domain/rendering/export-clip.ts'
import { EXPORT_FORMATS, FORMATS } from '../../interchange/index.ts'
import { defineCommand, EXIT, optional, required } from '../command.ts'
import { withServices } from '../open-home.ts'

/** A clip for another program. */
export const exportCommand = defineCommand({
  summary: 'Write a clip as a timeline for an editing program, or its words as captions or text',
  positionals: ['CLIP_ID'],
  options: {
    format: required('FORMAT', EXPORT_FORMATS.join(', ')),
    output: optional('FILE', 'write it there instead of to stdout'),
  },
  examples: {
    'cutroom export CLIP_ID --format otio --output clip.otio':
      'A timeline for DaVinci Resolve and others; what it cannot hold is told on stderr.',
    'cutroom export CLIP_ID --format srt': 'The captions of the clip as it is cut.',
    'cutroom export CLIP_ID --format edl --output clip.edl --json': '{ "format", "label", "file", "notes" }',
  },
  run: async ({ options, positionals, terminal }) => {
    const { format, output } = options
    const request = { clipId: positionals[0] ?? '', companyId: null, format, references: 'paths' } as const
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
  },
})
