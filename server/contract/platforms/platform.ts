/** What is known of a social platform. Each is a file here and a line of registry.ts, and has an adapter. */
export const VISIBILITIES = ['public', 'unlisted', 'private', 'followers'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** What a platform publishes about posts. Text lengths are counted in `unit`s: see text-length.ts. */
export interface PlatformLimits {
  /** Address of the documentation. */
  readonly source: string
  readonly text: { readonly most: number; readonly unit: 'characters' | 'graphemes' | 'bytes' | 'weighted' }
  /** How many hashtags and @names a text may have; absent: unlimited. */
  readonly marks?: { readonly hashtags: number; readonly names: number }
  /** Null: posts have no title there. `required`: a post without one is refused. */
  readonly title: { readonly most: number; readonly required: boolean } | null
  readonly firstComment: { readonly most: number } | null
  /** How a cover is named: as a moment of the video, or by a picture. Null: the platform alone chooses, or has no way for it. */
  readonly cover: 'moment' | 'picture' | null
  readonly visibilities: readonly Visibility[]
  /** Whether a post without a video is refused. */
  readonly videoRequired: boolean
  readonly video: {
    /** Largest file. */
    readonly bytes: number
    readonly seconds: { readonly least: number; readonly most: number }
    /** Width over height. */
    readonly aspect: { readonly least: number; readonly most: number }
    /** Pixels. */
    readonly longSide: number
    readonly shortSide: number
  }
}

/** Where a platform draws its controls over a vertical video, as the caption setting `safeZone` names it. */
export interface SafeZonePreset {
  readonly name: string
  /** Shown to people. */
  readonly label: string
  /** Percent of the picture that is covered on each side. */
  readonly covered: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
}

/** What a platform publishes about the encoding of an uploaded file, looked up in 2026. */
export interface UploadEncoding {
  readonly videoCodecs: readonly string[]
  readonly audioCodecs: readonly string[]
  /** 4:2:0, 8 bit. */
  readonly pixelFormat: 'yuv420p'
  readonly frameRate: { readonly least: number; readonly most: number }
  /** Samples per second. */
  readonly audioRates: readonly number[]
  /** Null: no limit is published. */
  readonly videoMegabits: number | null
  /** Whether the index must be at the front of the file. */
  readonly fastStart: boolean
}

/** What posts look like there: customs of 2026, not limits. An editor may do otherwise. */
export interface PostCustoms {
  /** How many hashtags are written, and whether at the end of the text or in the first comment. */
  readonly hashtags: { readonly count: number; readonly place: 'text' | 'comment' }
  /** `line`: people read one line; `lines`: a description follows. */
  readonly text: 'line' | 'lines'
  /** Whether the first comment is a question of the clip. */
  readonly asks: boolean
  /** Whether people can follow a link in the text. */
  readonly links: boolean
}

export interface PlatformPreset {
  readonly platform: string
  /** Shown to people. */
  readonly label: string
  readonly limits: PlatformLimits
  readonly post: PostCustoms
  /** Null: none is known. */
  readonly safeZone: SafeZonePreset | null
  /** Null: none is checked. */
  readonly encoding: UploadEncoding | null
}

/** What every platform that publishes its encoding has in common. */
export const COMMON_ENCODING = {
  videoCodecs: ['h264'],
  audioCodecs: ['aac'],
  pixelFormat: 'yuv420p',
  frameRate: { least: 23, most: 60 },
} as const
