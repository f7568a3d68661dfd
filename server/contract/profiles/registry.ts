/** PURE: every delivery profile, in the order in which people are shown them: a new one is one file and one line here. */
import { audioStems } from './audio-stems.ts'
import { av1Hdr } from './av1-hdr.ts'
import { av1 } from './av1.ts'
import { broadcastA852997i } from './broadcast-a85-2997i.ts'
import { broadcastA855994p } from './broadcast-a85-5994p.ts'
import { broadcastA85 } from './broadcast-a85.ts'
import { broadcastR12825i } from './broadcast-r128-25i.ts'
import { broadcastR12825p } from './broadcast-r128-25p.ts'
import { broadcastR12850p } from './broadcast-r128-50p.ts'
import { captionsEbuTtD } from './captions-ebu-tt-d.ts'
import { captionsPng } from './captions-png.ts'
import { captionsProres4444 } from './captions-prores-4444.ts'
import { captionsScc } from './captions-scc.ts'
import { captionsSrt } from './captions-srt.ts'
import { captionsTtml } from './captions-ttml.ts'
import { captionsVtt } from './captions-vtt.ts'
import { chapters } from './chapters.ts'
import { dnxhrHq } from './dnxhr-hq.ts'
import { gif } from './gif.ts'
import { hevcHdr } from './hevc-hdr.ts'
import { hevc } from './hevc.ts'
import type { Profile } from './profile.ts'
import { prores422hq } from './prores-422-hq.ts'
import { social1080 } from './social-1080.ts'
import { social4k } from './social-4k.ts'
import { webp } from './webp.ts'

export const PROFILES: readonly Profile[] = [
  social1080,
  social4k,
  hevc,
  hevcHdr,
  av1,
  av1Hdr,
  broadcastR12825p,
  broadcastR12850p,
  broadcastR12825i,
  broadcastA85,
  broadcastA855994p,
  broadcastA852997i,
  prores422hq,
  dnxhrHq,
  captionsProres4444,
  captionsPng,
  audioStems,
  gif,
  webp,
  captionsEbuTtD,
  captionsTtml,
  captionsScc,
  captionsSrt,
  captionsVtt,
  chapters,
]

export const findProfile = (name: string): Profile | undefined =>
  PROFILES.find((profile) => profile.name === name)
