/**
 * An ffmpeg with a graphics card, for tests: it lists h264_nvenc (and CUDA, where `card` is set), and treats them as configured. What
 * it should do by hardware, the bundled build does by software; everything else is passed to that unchanged.
 */
import { writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledTools } from './stage-harness.ts'

export interface FakeMode {
  /** What the one-picture trial comes to; `old`: it knows no presets like `p5`. */
  readonly trial: 'works' | 'fails' | 'old'
  /** What a render comes to: `breaks` in the middle, `short`: ends well with too few pictures, `hangs`. */
  readonly render: 'works' | 'breaks' | 'short' | 'hangs'
  /**
   * What decoding on the card comes to; absent: this build has none. `green`: other pictures than the file's; `late`: it works in
   * trials and breaks in a render.
   */
  readonly card?: 'works' | 'fails' | 'green' | 'late'
  /** Encoders that it was built without. */
  readonly without?: readonly string[]
}

export interface FakeFfmpeg {
  readonly path: string
  become(mode: FakeMode): Promise<void>
  /** How many trials, hardware renders and runs that decode on the card were requested. */
  calls(kind: 'trial' | 'render' | 'decode'): number
}

const program = (real: string): string => `#!${process.execPath}
const { spawn } = require('node:child_process')
const { appendFileSync, fstatSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const mode = JSON.parse(readFileSync(join(__dirname, 'mode.json'), 'utf8'))
let args = process.argv.slice(2)
const hardware = args.includes('h264_nvenc')
const trial = hardware && args.includes('h264')
// Of a card: a clip of its own, with everything that a render has.
const clipTrial = args.some((arg) => arg.includes('card-trial-'))
const note = (kind) => appendFileSync(join(__dirname, 'calls'), kind + '\\n')
const fail = (text) => { process.stderr.write('[h264_nvenc @ 0x1] ' + text + '\\nConversion failed!\\n'); process.exit(1) }
const decodes = args.includes('-hwaccel')
if (decodes) {
  note('decode')
  const isRender = !args.includes('pipe:1') && !clipTrial
  if (mode.card === 'fails') fail('Cannot load libcuda.so.1')
  if (mode.card === 'late' && isRender) fail('cuvid decode callback error')
  const cut = (list) => list.filter((arg, at) => !/^-hwaccel/.test(arg) && !/^-hwaccel/.test(list[at - 1] ?? ''))
  // What only a card can do is left out of the graph; a build without one would refuse it.
  const green = mode.card === 'green' ? 'lutyuv=y=16:u=0:v=0,' : ''
  args = cut(args).map((arg) =>
    arg
      .replace(/scale_cuda=w=(\\d+):h=(\\d+):interp_algo=bicubic:format=(nv12|p010le),/g, 'scale=$1:$2:flags=bicubic,')
      .replaceAll('hwdownload,format=', green + 'format='),
  )
}
const output = args.find((arg) => arg.startsWith('file:') && arg.endsWith('.mp4') && args[args.indexOf(arg) - 1] === 'mp4')
if (trial) {
  note('trial')
  if (mode.trial === 'fails') fail('Cannot load libnvidia-encode.so.1')
  if (mode.trial === 'old' && args.includes('p5')) fail('Unable to parse option value "p5"')
}
const software = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8']
if (hardware) {
  const at = args.indexOf('-c:v')
  const end = trial ? args.indexOf('-f', at) : args.indexOf('-colorspace')
  args = [...args.slice(0, at), ...software, ...args.slice(end)]
  if (mode.render === 'short' && output && !clipTrial) args.splice(args.indexOf('-c:v'), 0, '-frames:v', '7')
}
if (hardware && !trial && !clipTrial) {
  note('render')
  if (mode.render === 'breaks') {
    writeFileSync(output.slice(5), 'half a file')
    setTimeout(() => fail('EncodePicture failed!: unknown error (20)'), 200)
  }
  if (mode.render === 'hangs') setInterval(() => undefined, 1000)
}
if (!(hardware && !trial && !clipTrial && ['breaks', 'hangs'].includes(mode.render))) {
  const open = []
  for (let fd = 0; fd < 24; fd++) try { fstatSync(fd); open[fd] = fd } catch { open[fd] = 'ignore' }
  const child = spawn(${JSON.stringify(real)}, args, { stdio: [open[0], ['-encoders', '-filters', '-hwaccels'].some((one) => args.includes(one)) ? 'pipe' : open[1], ...open.slice(2)] })
  if (child.stdout) {
    let text = ''
    child.stdout.on('data', (chunk) => { text += chunk })
    child.stdout.on('end', () => {
      const lines = text.split('\\n').filter((line) => !(mode.without ?? []).includes(line.trim().split(/ +/)[1]))
      const more = args.includes('-encoders')
        ? ' V..... h264_nvenc           NVIDIA NVENC H.264 encoder'
        : mode.card === undefined ? '' : args.includes('-filters') ? ' ... scale_cuda        V->V       GPU accelerated' : 'cuda'
      process.stdout.write(lines.join('\\n') + more + '\\n')
    })
  }
  child.on('exit', (code, signal) => { process.exitCode = code ?? 1 })
}
`

/** Writes one into `folder`. */
export async function makeFakeFfmpeg(folder: string, mode: FakeMode): Promise<FakeFfmpeg> {
  const path = join(folder, 'ffmpeg')
  await writeFile(path, program(bundledTools().ffmpeg), { mode: 0o755 })
  const become = (now: FakeMode): Promise<void> => writeFile(join(folder, 'mode.json'), JSON.stringify(now))
  await become(mode)
  return {
    path,
    become,
    calls: (kind) => {
      const log = join(folder, 'calls')
      return existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line === kind).length
        : 0
    },
  }
}
