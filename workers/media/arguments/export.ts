/** Commands that make the files of delivery profiles which are no films, and those that try whether a profile can be made. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { Delivery, PreviewDelivery } from '../../../server/contract/profiles/profile.ts'
import { colourTags } from './colour.ts'
import { everyFrame, OLD_DIALECT, type Dialect } from './dialect.ts'
import { filmEncoders, filmForm, MOV, PCM, previewForm, PRORES_4444 } from './export-forms.ts'
import { inputGuard, listArguments } from './input.ts'
import { stemChains, type AudioGain } from './render-audio.ts'
import { planTime } from './render-time.ts'
import { BITEXACT, COMMON, finishedPicture, soundInputs, sourceInput, type PictureCommand } from './render.ts'

/** A few seconds of the finished picture, without sound. */
export function previewArguments(
  command: PictureCommand & { readonly file: string },
  delivery: PreviewDelivery,
): string[] {
  const { composition, file } = command
  const dialect = command.dialect ?? OLD_DIALECT
  const plan = planTime(composition)
  const sources = composition.source.hasVideo ? plan.windows : []
  const picture = finishedPicture(command, plan, 'drawn', { sources: sources.length, tracks: 0 })
  const form = previewForm(composition.output, delivery)
  const rate = { numerator: delivery.framesPerSecond, denominator: 1 }
  return listArguments`
    ${COMMON} ${sources.flatMap((window) => sourceInput(window, command.sourceFile))} ${picture.bands}
    ${picture.others} -filter_complex ${[...picture.chains, ...form.chains].join(';')}
    ${everyFrame(dialect, rate)} -map [video] -map_metadata -1 -map_chapters -1
    -t ${delivery.seconds} ${BITEXACT} ${form.arguments} file:${file}
  `
}

/** RGBA pictures with straight alpha on pipe 3, one for each frame, to a film that keeps their alpha. */
export function captionFilmArguments(
  { output }: Pick<Composition, 'output'>,
  { file, dialect }: { readonly file: string; readonly dialect: Dialect },
): string[] {
  const { width, height, frameRate } = output
  const rate = `${frameRate.numerator}/${frameRate.denominator}`
  return listArguments`
    ${COMMON} -protocol_whitelist file,pipe,fd -f rawvideo -pix_fmt rgba -s ${width}x${height} -r ${rate}
    -i pipe:3 -vf ${ALPHA_FILTERS} ${everyFrame(dialect, frameRate)} ${PRORES_4444} ${colourTags(output)} ${BITEXACT}
    ${MOV} file:${file}
  `
}

const ALPHA_FILTERS = 'scale=out_color_matrix=bt709:out_range=tv,format=yuva444p10le'

export interface StemsCommand {
  readonly composition: Composition
  readonly sourceFile: string
  readonly gain: AudioGain | null
  readonly trackFiles: readonly string[]
  readonly cleanFile: string | null
  /** Paths of the files. */
  readonly stems: Readonly<Record<'speech' | 'music' | 'mix', string>>
}

/** Speech, music and mix in one pass. */
export function stemsArguments(command: StemsCommand): string[] {
  const { composition, gain, stems } = command
  const plan = planTime(composition)
  const { inputs, ...parts } = soundInputs(command, plan)
  const chains = stemChains(composition, plan, gain, parts)
  const written = Object.entries(stems).flatMap(
    ([name, file]) => listArguments`
      -map [${name}] -map_metadata -1 -map_chapters -1 ${PCM} ${BITEXACT} -f wav file:${file}
    `,
  )
  return listArguments`
    ${COMMON} ${inputs} -filter_complex ${chains.join(';')} ${written}
  `
}

const TRIED: Composition['output'] = {
  width: 640,
  height: 360,
  frameRate: { numerator: 50, denominator: 1 },
}

/** Something drawn with ten bits over a picture with ten bits, which older builds cannot do. */
const DEEP_OVERLAY =
  'format=yuv420p10le,split[below][drawn];[drawn]format=yuva420p10le[over];[below][over]overlay=format=yuv420p10:alpha=straight'

/** A way to make a profile: the encoder, and what of ffmpeg must be there for it. */
export interface ExportWay {
  /** As ffmpeg names it. */
  readonly encoder: string
  readonly encoders: readonly string[]
  readonly filters: readonly string[]
  /** Makes a few frames of grey with the very options of the profile, into `file`. */
  readonly trial: (file: string) => string[]
}

/** The ways to make a profile, the best first; none: ffmpeg is not needed. */
export function exportWays(delivery: Delivery): ExportWay[] {
  switch (delivery.kind) {
    case 'video': {
      const tried: Composition['output'] = delivery.hdr === true ? { ...TRIED, hdr: 'hlg' } : TRIED
      const form = filmForm(tried, delivery)
      const drawn = delivery.hdr === true ? [DEEP_OVERLAY] : []
      return filmEncoders(tried, delivery).map((encoder) => ({
        encoder: encoder.name,
        encoders: [encoder.name, delivery.sound === 'aac' ? 'aac' : 'pcm_s24le'],
        filters: delivery.scan === 'progressive' ? [] : ['interlace', 'setfield'],
        trial: (file) => listArguments`
          ${TRIAL_START} ${GREY} -f lavfi -i anullsrc=r=48000:cl=stereo
          -vf ${[...drawn, encoder.filters === '' ? 'null' : encoder.filters].join(',')} -map 0 -map 1 -t 0.1 ${encoder.arguments}
          ${colourTags(tried)} ${form.sound} ${BITEXACT} ${form.container} file:${file}
        `,
      }))
    }
    case 'captions':
      if (delivery.codec === 'png') return []
      return [
        {
          encoder: 'prores_ks',
          encoders: ['prores_ks'],
          filters: [],
          trial: (file) => listArguments`
            ${TRIAL_START} ${GREY} -vf format=rgba,${ALPHA_FILTERS} -t 0.1 ${PRORES_4444} ${MOV} file:${file}
          `,
        },
      ]
    case 'stems':
      return [
        {
          encoder: 'pcm_s24le',
          encoders: ['pcm_s24le'],
          filters: [],
          trial: (file) => listArguments`
            ${TRIAL_START} -f lavfi -i anullsrc=r=48000:cl=stereo -t 0.1 ${PCM} -f wav file:${file}
          `,
        },
      ]
    case 'preview': {
      const form = previewForm(TRIED, delivery)
      const encoder = delivery.codec === 'gif' ? 'gif' : 'libwebp_anim'
      return [
        {
          encoder,
          encoders: [encoder],
          filters: delivery.codec === 'gif' ? ['palettegen', 'paletteuse'] : [],
          trial: (file) => listArguments`
            ${TRIAL_START} ${GREY} -filter_complex ${['[0:v]null[drawn]', ...form.chains].join(';')} -map [video]
            -t 0.2 ${form.arguments} file:${file}
          `,
        },
      ]
    }
  }
}

const TRIAL_START = listArguments`-hide_banner -nostdin -y -loglevel error`
const GREY = listArguments`-f lavfi -i color=c=gray:s=${TRIED.width}x${TRIED.height}:r=50,format=yuv420p`

/** What ffprobe tells of a finished file; packets are counted where the container does not say how many frames there are. */
export function exportFactsArguments(file: string): string[] {
  return listArguments`
    -v error -hide_banner ${inputGuard()} -count_packets -print_format json -show_streams file:${file}
  `
}
