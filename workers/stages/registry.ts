/** The code of each stage, loaded when it is first needed. The compiler checks that no stage is missing. */
import type { StageName } from './catalog.ts'
import type { StageHandler } from './context.ts'

type Registry = { readonly [Name in StageName]: () => Promise<StageHandler<Name>> }

export const HANDLERS: Registry = {
  ingest: async () => (await import('./ingest/stage.ts')).runIngest,
  record: async () => (await import('./record/stage.ts')).runRecord,
  probe: async () => (await import('./probe/stage.ts')).runProbe,
  audio: async () => (await import('./audio/stage.ts')).runAudio,
  voice: async () => (await import('./voice/stage.ts')).runVoice,
  captions: async () => (await import('./captions/stage.ts')).runCaptions,
  speech: async () => (await import('./speech/stage.ts')).runSpeech,
  'speech-part': async () => (await import('./speech-part/stage.ts')).runSpeechPart,
  'speech-ahead': async () => (await import('./speech-ahead/stage.ts')).runSpeechAhead,
  speakers: async () => (await import('./speakers/stage.ts')).runSpeakers,
  'sound-events': async () => (await import('./sound-events/stage.ts')).runSoundEvents,
  'install-model': async () => (await import('./install-model/stage.ts')).runInstallModel,
  'fetch-asset': async () => (await import('./fetch-asset/stage.ts')).runFetchAsset,
  'search-broll': async () => (await import('./search-broll/stage.ts')).runSearchBroll,
  'fetch-broll': async () => (await import('./fetch-broll/stage.ts')).runFetchBroll,
  'look-over': async () => (await import('./look-over/stage.ts')).runLookOver,
  'find-clips': async () => (await import('./find-clips/stage.ts')).runFindClips,
  'shorten-stories': async () => (await import('./shorten-stories/stage.ts')).runShortenStories,
  'judge-clips': async () => (await import('./judge-clips/stage.ts')).runJudgeClips,
  'find-logo': async () => (await import('./find-logo/stage.ts')).runFindLogo,
  faces: async () => (await import('./faces/stage.ts')).runFaces,
  'active-speaker': async () => (await import('./active-speaker/stage.ts')).runActiveSpeaker,
  peaks: async () => (await import('./peaks/stage.ts')).runPeaks,
  filmstrip: async () => (await import('./filmstrip/stage.ts')).runFilmstrip,
  cut: async () => (await import('./cut/stage.ts')).runCut,
  thumbnail: async () => (await import('./thumbnail/stage.ts')).runThumbnail,
  'transcript-file': async () => (await import('./transcript-file/stage.ts')).runTranscriptFile,
  passages: async () => (await import('./passages/stage.ts')).runPassages,
  'embed-query': async () => (await import('./embed-query/stage.ts')).runEmbedQuery,
  render: async () => (await import('./render/stage.ts')).runRender,
  export: async () => (await import('./export/stage.ts')).runExport,
}
