/** Arguments that take several stills of a source in one run. PURE. */
import type { Rect } from '../../../server/contract/composition.ts'
import { SQUARE_PIXELS, TONE_MAP } from './colour.ts'
import { ffmpegStart, inputFile, inputGuard, seconds } from './input.ts'

export interface StillsRequest {
  readonly path: string
  /** Moments, seconds from the source's time 0. */
  readonly times: readonly number[]
  /** Display pixels of the source. */
  readonly crop: Rect
  readonly width: number
  readonly height: number
  readonly hdr: boolean
  /** Size of the grey pictures for judging. */
  readonly grey: { readonly width: number; readonly height: number }
  /** File of each still, as long as `times`. */
  readonly outputs: readonly string[]
}

/** For each moment: a JPEG in its file, and the same picture small and grey as raw bytes on pipe 3, 4, ... */
export function stillsArguments(request: StillsRequest): string[] {
  const inputs = request.times.flatMap((time) => [
    ...[...inputGuard(), '-ss', seconds(time), '-an', '-sn', '-dn', '-i', inputFile(request.path)],
  ])
  const graphs = request.times.map((_, index) => graph(request, index))
  const outputs = request.outputs.flatMap((file, index) => [
    ...[
      '-map',
      `[full${index}]`,
      '-frames:v',
      '1',
      '-q:v',
      '2',
      '-f',
      'image2',
      '-update',
      '1',
      inputFile(file),
    ],
    ...['-map', `[grey${index}]`, '-frames:v', '1', '-f', 'rawvideo', `pipe:${3 + index}`],
  ])
  return [...ffmpegStart(), '-y', ...inputs, '-filter_complex', graphs.join(';'), ...outputs]
}

function graph(request: StillsRequest, index: number): string {
  const { crop, width, height, hdr, grey } = request
  const whole = [crop.width, crop.height, crop.x, crop.y].map((side) => Math.max(0, Math.round(side)))
  const picture = [
    'yadif=deint=interlaced',
    SQUARE_PIXELS,
    `crop=w='min(iw,${whole[0] ?? 0})':h='min(ih,${whole[1] ?? 0})':x=${whole[2] ?? 0}:y=${whole[3] ?? 0}`,
    `scale=${width}:${height}:flags=lanczos`,
    ...(hdr ? [TONE_MAP] : []),
    'setsar=1',
  ].join(',')
  return [
    `[${index}:v:0]${picture},split=2[a${index}][b${index}]`,
    // JPEG is full range, and readers take its colours for BT.601.
    `[a${index}]scale=out_range=pc:out_color_matrix=bt601,format=yuvj420p[full${index}]`,
    `[b${index}]scale=${grey.width}:${grey.height},format=gray[grey${index}]`,
  ].join(';')
}
