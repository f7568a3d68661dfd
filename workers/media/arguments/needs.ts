/** Features that an ffmpeg build must have, and those that are useful. PURE. */

export interface Built {
  readonly encoders: ReadonlySet<string>
  readonly decoders: ReadonlySet<string>
  readonly filters: ReadonlySet<string>
}

/** Without these no clip can be made. */
const NEEDED = {
  encoders: ['libx264', 'aac', 'mjpeg', 'png', 'pcm_s16le'],
  decoders: ['h264', 'aac', 'rawvideo', 'mjpeg', 'png'],
  filters: [
    'scale',
    'crop',
    'pad',
    'overlay',
    'split',
    'concat',
    'format',
    'setsar',
    'color',
    'null',
    'loop',
    'fps',
    'select',
    'setpts',
    'settb',
    'trim',
    'tpad',
    'boxblur',
    'lutyuv',
    'fade',
    'perspective',
    'delogo',
    'aresample',
    'aformat',
    'atrim',
    'asetpts',
    'asplit',
    'apad',
    'afade',
    'amerge',
    'pan',
    'anull',
    'aloop',
    'atempo',
    'volume',
    'alimiter',
    'asetnsamples',
    'anullsrc',
    'sine',
    'ebur128',
    'aeval',
    'amultiply',
  ],
} as const

/** Without these some sources cannot be used fully. */
export const USEFUL: readonly { readonly filter: string; readonly use: string }[] = [
  { filter: 'zscale', use: 'sources in HDR' },
  { filter: 'tonemap', use: 'sources in HDR' },
  { filter: 'bwdif', use: 'interlaced sources' },
  { filter: 'yadif', use: 'interlaced sources' },
]

/** The required features that are missing, in the tool's own words: `encoder libx264`, `filter overlay`. */
export function lacking(built: Built): string[] {
  const absent = (kind: keyof typeof NEEDED, name: string): string[] =>
    NEEDED[kind].filter((one) => !built[kind].has(one)).map((one) => `${name} ${one}`)
  return [...absent('encoders', 'encoder'), ...absent('decoders', 'decoder'), ...absent('filters', 'filter')]
}
