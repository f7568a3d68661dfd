/** Features that an ffmpeg build must have, and those that are useful. PURE. */
import { listArguments } from './input.ts'

/** Without these no clip can be made. */
const NEEDED = {
  encoder: listArguments`libx264 aac mjpeg png pcm_s16le`,
  decoder: listArguments`h264 aac rawvideo mjpeg png`,
  filter: listArguments`
    scale crop pad overlay split concat format setsar color null loop fps select setpts settb trim tpad
    fillborders boxblur lutyuv fade perspective delogo aresample aformat atrim asetpts asplit apad afade amerge pan
    anull aloop atempo volume alimiter asetnsamples anullsrc sine ebur128 aeval amultiply setparams
  `,
}

/** Without these some sources cannot be used fully. */
export const USEFUL: readonly { readonly filter: string; readonly use: string }[] = [
  { filter: 'zscale', use: 'sources in HDR' },
  { filter: 'tonemap', use: 'sources in HDR' },
  { filter: 'bwdif', use: 'interlaced sources' },
  { filter: 'yadif', use: 'interlaced sources' },
]

/** The required features that are missing, in the tool's own words: `encoder libx264`, `filter overlay`. */
export const lacking = (
  built: Readonly<Record<'encoders' | 'decoders' | 'filters', ReadonlySet<string>>>,
): string[] =>
  (['encoder', 'decoder', 'filter'] as const).flatMap((kind) =>
    NEEDED[kind].filter((name) => !built[`${kind}s`].has(name)).map((name) => `${kind} ${name}`),
  )
