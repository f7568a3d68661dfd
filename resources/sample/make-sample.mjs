// Makes the bundled sample: a short talk between two drawn people, voiced by flite, with its captions
// and the exact time of every word. See README.md for what it needs.
//
//   node resources/sample/make-sample.mjs [--crf 23] [--to folder] [--seconds 20]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCanvas } from '@napi-rs/canvas'
import { act } from './acting.mjs'
import { dressVoices, finish, layVoices, loudnessPerFrame } from './audio.mjs'
import { makeCues, toSrt } from './captions.mjs'
import { buildPerson, drawPerson } from './people.mjs'
import * as script from './script.mjs'
import { buildLayers, cameras, height, seats, wideScale, width } from './set.mjs'
import { drawPlate, slides } from './slides.mjs'
import { sampleRate, synthesise } from './speech.mjs'

const frameRate = 30
const targetLoudness = -18

const { values: options } = parseArgs({
  options: {
    crf: { type: 'string', default: '24' },
    to: { type: 'string', default: dirname(fileURLToPath(import.meta.url)) },
    seconds: { type: 'string' },
  },
})
const ffmpeg = process.env.FFMPEG ?? 'ffmpeg'
const work = mkdtempSync(join(tmpdir(), 'cutroom-sample-'))

const bytesOf = (samples) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
const words = (text) => text.trim().split(/\s+/)
const rawAudio = words(`-f f32le -ar ${sampleRate} -ac 1`)

/** Integrated loudness in LUFS, as ffmpeg's ebur128 measures it. */
function loudnessOf(track) {
  const { stderr } = spawnSync(
    ffmpeg,
    [...words('-hide_banner -nostats'), ...rawAudio, ...words('-i pipe:0 -af ebur128 -f null -')],
    { input: bytesOf(track), encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  return Number(/Summary:[\s\S]*?I:\s+(-?[\d.]+) LUFS/.exec(stderr)[1])
}

/** Cuts: one shot for each run of lines that show the same thing, changing in the quiet between two lines. */
function planShots({ lines, duration }) {
  const shots = []
  for (const [index, line] of lines.entries()) {
    const view = line.shot ?? line.speaker
    if (shots.at(-1)?.view === view) continue
    const quiet = index === 0 ? 0 : line.start - lines[index - 1].end
    const start = index === 0 ? 0 : line.start - Math.min(quiet / 2, 0.3)
    if (shots.length > 0) shots.at(-1).end = start
    shots.push({ view, start })
  }
  shots.at(-1).end = duration
  return shots
}

function planPlates(lines) {
  const plates = []
  for (const { plate, start, end } of lines) {
    if (!plate) continue
    if (plates.at(-1)?.who === plate) plates.at(-1).end = end
    else plates.push({ who: plate, start, end })
  }
  return plates
}

/** Draws any frame of the talk onto a canvas. */
function makePainter(talk, poses) {
  const shots = planShots(talk)
  const plates = planPlates(talk.lines)
  // A little larger than drawn, so that the push-in does not soften them.
  const cast = (scale) => ({ host: buildPerson('host', scale), guest: buildPerson('guest', scale) })
  const near = cast(1.08)
  const far = cast(wideScale)
  const views = Object.fromEntries(Object.keys(cameras).map((shot) => [shot, buildLayers(shot)]))

  return (ctx, frame) => {
    const seconds = frame / frameRate
    const shot = shots.findLast(({ start }) => start <= seconds + 1e-6)
    const since = seconds - shot.start
    if (slides[shot.view]) {
      slides[shot.view](ctx, since)
      return
    }
    const { behind, before } = views[shot.view]
    const camera = cameras[shot.view]
    const wide = shot.view === 'wide'
    ctx.save()
    if (!wide) {
      // A slow push-in on the face, which a short shot only begins.
      const push = 1 + 0.04 * Math.min(1, since / Math.max(8, shot.end - shot.start))
      ctx.translate(width / 2, height * 0.42)
      ctx.scale(push, push)
      ctx.translate(-width / 2, -height * 0.42)
    }
    ctx.drawImage(behind, 0, 0)
    for (const who of wide ? ['host', 'guest'] : [shot.view]) {
      ctx.save()
      ctx.translate(
        width / 2 + (seats[who].x - camera.x) * camera.zoom,
        height / 2 + (seats[who].y - camera.y) * camera.zoom,
      )
      ctx.scale(camera.zoom * wideScale, camera.zoom * wideScale)
      drawPerson(ctx, (wide ? far : near)[who], poses[who](frame))
      ctx.restore()
    }
    ctx.drawImage(before, 0, 0)
    ctx.restore()
    const plate = plates.find(
      ({ who, start, end }) => who === shot.view && start <= seconds && seconds < end + 0.2,
    )
    if (plate)
      drawPlate(
        ctx,
        script.people[plate.who],
        seconds - Math.max(plate.start, shot.start),
        Math.min(plate.end + 0.2, shot.end) - seconds,
      )
  }
}

async function makeVideo(frames, paint, audioPath, captionPath, moviePath) {
  const encoder = spawn(
    ffmpeg,
    [
      ...words(`-hide_banner -loglevel error -y
        -f rawvideo -pix_fmt rgba -s ${width}x${height} -r ${frameRate} -i pipe:0`),
      ...rawAudio,
      '-i',
      audioPath,
      '-i',
      captionPath,
      ...words(`-map 0:v -map 1:a -map 2:s -vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p
        -c:v libx264 -preset medium -crf ${options.crf} -tune animation -g 150 -aq-mode 3
        -color_primaries bt709 -color_trc bt709 -colorspace bt709
        -c:a aac -b:a 80k -ar 48000 -c:s mov_text
        -metadata:s:a:0 language=eng -metadata:s:s:0 language=eng`),
      '-metadata',
      'title=Still Open: Ruben Hale of Lantern Street Cycles',
      ...words(`-t ${(frames / frameRate).toFixed(3)} -movflags +faststart`),
      moviePath,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const finished = once(encoder, 'close')
  const canvas = createCanvas(width, height)
  const ctx = canvas.getContext('2d')
  for (let frame = 0; frame < frames; frame++) {
    paint(ctx, frame)
    // A copy: the canvas goes on to the next frame while the pipe still holds this one.
    if (!encoder.stdin.write(Buffer.from(canvas.data()))) await once(encoder.stdin, 'drain')
    if (frame % 900 === 899) console.log(`${Math.round((100 * frame) / frames)} % drawn`)
  }
  encoder.stdin.end()
  const [code] = await finished
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

const round = (seconds) => Math.round(seconds * 1000) / 1000

try {
  const talk = await synthesise(script, work)
  if (options.seconds) talk.duration = Number(options.seconds)
  const frames = Math.floor(talk.duration * frameRate)
  const voices = layVoices(talk)
  const dressed = dressVoices(voices)
  // Twice: the soft ceiling takes a little off what the first gain promised.
  let gain = targetLoudness - loudnessOf(dressed)
  gain += targetLoudness - loudnessOf(finish(dressed, gain))
  const audioPath = join(work, 'talk.f32')
  writeFileSync(audioPath, bytesOf(finish(dressed, gain)))

  const captionPath = join(options.to, 'sample.srt')
  writeFileSync(captionPath, toSrt(makeCues(talk.lines)))
  const spoken = talk.words.map(({ word, start, end, speaker }) => ({
    word,
    start: round(start),
    end: round(end),
    speaker,
  }))
  writeFileSync(
    join(options.to, 'words.json'),
    `[\n${spoken.map((word) => `  ${JSON.stringify(word)}`).join(',\n')}\n]\n`,
  )

  const loudness = loudnessPerFrame(voices, frameRate, frames)
  const poses = {
    host: act('host', talk, loudness, frameRate, frames),
    guest: act('guest', talk, loudness, frameRate, frames),
  }
  await makeVideo(frames, makePainter(talk, poses), audioPath, captionPath, join(options.to, 'sample.mp4'))

  console.log(`${talk.duration.toFixed(1)} s, ${spoken.length} words`)
  for (const { title, from, to } of script.moments) {
    const first = talk.lines.find(({ text }) => text.startsWith(from))
    const last = talk.lines.find(({ text }) => text.startsWith(to))
    console.log(`  ${first.start.toFixed(2)} - ${last.end.toFixed(2)}  ${title}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
