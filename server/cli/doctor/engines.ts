/** Checks of what does the work: ffmpeg and its encoders, the graphics card, ONNX, the database. */
import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { homePaths } from '../../home.ts'
import { runTool } from '../../../workers/media/run-tool.ts'
import { capabilitiesOf, locateTools } from '../../../workers/media/tools.ts'
import { failure, ok, reason, warning, type Check } from './check.ts'

const NEEDED_ENCODERS = ['libx264', 'aac', 'mjpeg']
const NEEDED_FILTERS = ['overlay', 'crop', 'scale', 'loudnorm', 'silencedetect', 'aresample']
const HARDWARE = ['h264_nvenc', 'h264_vaapi', 'h264_qsv', 'h264_videotoolbox']

export async function checkTools(config: Config): Promise<Check[]> {
  try {
    const fallbackFolder = homePaths(config.home).temporary
    const { paths, version } = await locateTools({
      ffmpeg: config.ffmpeg,
      ffprobe: config.ffprobe,
      fallbackFolder,
    })
    return [
      ok('ffmpeg', version),
      ...(await checkCapabilities(paths.ffmpeg)),
      await checkHardwareEncoding(paths.ffmpeg),
    ]
  } catch (error) {
    return [
      failure('ffmpeg', reason(error), 'Run `npm ci` again, or set CUTROOM_FFMPEG and CUTROOM_FFPROBE.'),
    ]
  }
}

async function checkCapabilities(ffmpeg: string): Promise<Check[]> {
  const { encoders, filters } = await capabilitiesOf(ffmpeg)
  const lacking = [
    ...NEEDED_ENCODERS.filter((name) => !encoders.has(name)),
    ...NEEDED_FILTERS.filter((name) => !filters.has(name)),
  ]
  const mend = 'Use another build: unset CUTROOM_FFMPEG for the bundled one.'
  return [
    lacking.length === 0
      ? ok('encoders', NEEDED_ENCODERS.join(', '))
      : failure('encoders', `this ffmpeg lacks ${lacking.join(', ')}`, mend),
  ]
}

/** Listed encoders often do not work (no driver, no card), so each is tried on a few frames. */
async function checkHardwareEncoding(ffmpeg: string): Promise<Check> {
  const { encoders } = await capabilitiesOf(ffmpeg)
  const working: string[] = []
  for (const encoder of HARDWARE.filter((name) => encoders.has(name))) {
    if (await encodes(ffmpeg, encoder)) working.push(encoder)
  }
  return ok(
    'gpu',
    working.length === 0 ? 'no hardware encoder works here: encoding in software' : working.join(', '),
  )
}

async function encodes(ffmpeg: string, encoder: string): Promise<boolean> {
  const device = '/dev/dri/renderD128'
  const vaapi = encoder === 'h264_vaapi'
  if (vaapi && !existsSync(device)) return false
  const input = ['-f', 'lavfi', '-i', 'color=size=320x240:rate=30:duration=0.2']
  const upload = vaapi ? ['-vf', 'format=nv12,hwupload'] : []
  const args = [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', ...(vaapi ? ['-vaapi_device', device] : [])],
    ...[...input, ...upload, '-c:v', encoder, '-f', 'null', '-'],
  ]
  try {
    await runTool({ executable: ffmpeg, args, timeoutSeconds: 15 })
    return true
  } catch {
    return false // its reason is the driver's, and software encoding takes over
  }
}

export async function checkInference(): Promise<Check> {
  try {
    const { listSupportedBackends } = await import('onnxruntime-node')
    const backends = listSupportedBackends()
    const names = (there: boolean) =>
      backends.flatMap(({ name, bundled }) => (bundled === there ? [name] : [])).join(', ')
    const absent = names(false)
    return ok('onnx', `providers: ${names(true)}${absent === '' ? '' : ` (not installed: ${absent})`}`)
  } catch (error) {
    const mend = 'Run `npm ci` again; without it only captions that come with a video can be used.'
    return warning('onnx', `the runtime does not load: ${reason(error)}`, mend)
  }
}

export async function checkDatabase(config: Config): Promise<Check> {
  const file = homePaths(config.home).database
  if (!existsSync(file)) return ok('database', 'made at the first start')
  try {
    const { default: Database } = await import('better-sqlite3')
    const sqlite = new Database(file, { readonly: true })
    try {
      const said = sqlite.pragma('quick_check(1)', { simple: true })
      return said === 'ok'
        ? ok('database', `SQLite ${String(sqlite.prepare('select sqlite_version()').pluck().get())}, sound`)
        : failure('database', String(said), 'Put back a copy: `cutroom restore FILE`.')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    return failure('database', reason(error), 'Put back a copy: `cutroom restore FILE`.')
  }
}
