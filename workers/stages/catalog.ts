/** The declarations of all stages by name. PURE: the server plans with it, workers run by it. A new stage is one line here. */
import { activeSpeaker } from './active-speaker/declaration.ts'
import { audio } from './audio/declaration.ts'
import { captions } from './captions/declaration.ts'
import { cut } from './cut/declaration.ts'
import { embedQuery } from './embed-query/declaration.ts'
import { faces } from './faces/declaration.ts'
import { fetchAsset } from './fetch-asset/declaration.ts'
import { fetchBroll } from './fetch-broll/declaration.ts'
import { filmstrip } from './filmstrip/declaration.ts'
import { findClips } from './find-clips/declaration.ts'
import { findLogo } from './find-logo/declaration.ts'
import { ingest } from './ingest/declaration.ts'
import { installModel } from './install-model/declaration.ts'
import { shortenStories } from './shorten-stories/declaration.ts'
import { judgeClips } from './judge-clips/declaration.ts'
import { lookOver } from './look-over/declaration.ts'
import { passages } from './passages/declaration.ts'
import { peaks } from './peaks/declaration.ts'
import { probe } from './probe/declaration.ts'
import { record } from './record/declaration.ts'
import { exportClip } from './export/declaration.ts'
import { render } from './render/declaration.ts'
import { soundEvents } from './sound-events/declaration.ts'
import { speakers } from './speakers/declaration.ts'
import { searchBroll } from './search-broll/declaration.ts'
import { speech } from './speech/declaration.ts'
import { speechAhead } from './speech-ahead/declaration.ts'
import { speechPart } from './speech-part/declaration.ts'
import { thumbnail } from './thumbnail/declaration.ts'
import { transcriptFile } from './transcript-file/declaration.ts'
import { voice } from './voice/declaration.ts'

export const STAGES = {
  ingest,
  record,
  probe,
  audio,
  voice,
  captions,
  speech,
  'speech-part': speechPart,
  'speech-ahead': speechAhead,
  speakers,
  'sound-events': soundEvents,
  'install-model': installModel,
  'fetch-asset': fetchAsset,
  'search-broll': searchBroll,
  'fetch-broll': fetchBroll,
  'look-over': lookOver,
  'find-clips': findClips,
  'shorten-stories': shortenStories,
  'judge-clips': judgeClips,
  faces,
  'active-speaker': activeSpeaker,
  'find-logo': findLogo,
  peaks,
  filmstrip,
  cut,
  thumbnail,
  'transcript-file': transcriptFile,
  passages,
  'embed-query': embedQuery,
  render,
  export: exportClip,
} as const

export type StageName = keyof typeof STAGES
export type Stages = typeof STAGES
