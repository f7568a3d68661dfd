/**
 * `npm run presets:sheet -- FOLDER`: draws every caption preset, every title preset in every palette, and what is hard
 * to set (long words, Arabic, Hebrew, Chinese, Japanese, Korean, Thai, emojis) over a bright and dark ground, with the
 * parts that platforms cover marked, as PNG sheets to look at.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Composition } from '../../server/contract/composition.ts'
import { sentencesOf } from '../../server/contract/render-remarks.ts'
import { SAFE_ZONES } from '../../server/contract/platforms/registry.ts'
import { CAPTION_PRESETS, compileComposition, TITLE_PRESETS } from '../../server/nodes/index.ts'
import { drawFrame, prepare } from '../../workers/compositor/compositor.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { RESOURCES } from './draw.ts'
import { documentOf, factsOf, node, spoken } from '../support/node-values.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const TALK =
  'Nobody reads the whole manual. Incomprehensibility fascinates twenty-three engineers, every single day.'
const SHAPES = { vertical: '9:16', square: '1:1', horizontal: '16:9' } as const
const SCRIPTS: readonly (readonly [string, string])[] = [
  ['ar', 'لا أحد يقرأ الدليل مرتين، لكن الجميع يسأل عن Node.js في عام 2024.'],
  ['he', 'אף אחד לא קורא את המדריך פעמיים, אבל כולם שואלים על Node.js בשנת 2024.'],
  ['ja', '誰も説明書を二度は読みません。「でも、みんなが同じことを聞くんです」と彼は言った。'],
  ['zh', '没有人会把说明书读两遍，但是每个人都会问同样的问题：“为什么？”'],
  ['zh-Hant', '沒有人會把說明書讀兩遍，但是每個人都會問同樣的問題。'],
  ['ko', '아무도 설명서를 두 번 읽지 않지만 모두가 같은 질문을 합니다.'],
  ['th', 'ไม่มีใครอ่านคู่มือสองครั้งแต่ทุกคนก็ถามคำถามเดียวกัน'],
  ['hi', 'कोई भी मैनुअल दो बार नहीं पढ़ता, लेकिन सब वही सवाल पूछते हैं।'],
  ['ru', 'Никто не читает инструкцию дважды, но все задают один и тот же вопрос.'],
]
/** Percent of a vertical picture that at least one platform covers on each side. */
const COVERED = {
  top: Math.max(...SAFE_ZONES.map(({ covered }) => covered.top)),
  right: Math.max(...SAFE_ZONES.map(({ covered }) => covered.right)),
  bottom: Math.max(...SAFE_ZONES.map(({ covered }) => covered.bottom)),
  left: Math.max(...SAFE_ZONES.map(({ covered }) => covered.left)),
}

interface Look {
  readonly label: string
  readonly composition: Composition
  readonly frame: number
}

function compiled(
  label: string,
  shape: keyof typeof SHAPES,
  config: {
    subtitle?: Record<string, unknown>
    title?: Record<string, unknown>
    text?: string
    language?: string
  },
  at = 0.55,
): Look {
  const { subtitle, title, text = TALK, language } = config
  const nodes = [
    node('convert_to_vertical', { aspect_ratio: SHAPES[shape] }),
    ...(subtitle === undefined ? [] : [node('add_subtitles', { subtitle_config: subtitle })]),
    ...(title === undefined ? [] : [node('add_title_overlay', { title_config: title })]),
  ]
  const document = documentOf(nodes, {
    startTimestamp: 10,
    endTimestamp: 20,
    ...omitUndefined({ language }),
  })
  const { composition, warnings } = compileComposition({
    document,
    words: spoken(text, 10.2, 0.32),
    facts: factsOf(),
  })
  for (const warning of sentencesOf(warnings)) process.stdout.write(`${label}: ${warning}\n`)
  const captions = composition.layers.find((layer) => layer.kind === 'captions')
  const cue = captions?.cues[Math.floor(captions.cues.length * at)]
  const word = cue?.words[Math.floor(cue.words.length / 2)]
  return {
    label,
    composition,
    frame: word === undefined ? 60 : Math.round((word.startFrame * 2 + word.endFrame * 3) / 5),
  }
}

/** Something like a picture: bright on the left, dark on the right, a face in the middle. */
function ground(context: SKRSContext2D, width: number, height: number): void {
  const sky = context.createLinearGradient(0, 0, width, height)
  sky.addColorStop(0, '#e9e2d4')
  sky.addColorStop(0.5, '#8a9aa5')
  sky.addColorStop(1, '#1c242b')
  context.fillStyle = sky
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#c79a7b'
  context.beginPath()
  context.ellipse(
    width / 2,
    height * 0.4,
    Math.min(width, height) * 0.13,
    Math.min(width, height) * 0.17,
    0,
    0,
    7,
  )
  context.fill()
  if (width >= height) return
  context.fillStyle = '#ff00001f'
  const top = (COVERED.top * height) / 100
  const bottom = (COVERED.bottom * height) / 100
  context.fillRect(0, 0, width, top)
  context.fillRect(0, height - bottom, width, bottom)
  context.fillRect(
    width - (COVERED.right * width) / 100,
    top,
    (COVERED.right * width) / 100,
    height - top - bottom,
  )
  context.fillRect(0, top, (COVERED.left * width) / 100, height - top - bottom)
}

async function drawLook(look: Look): Promise<Canvas> {
  const fonts = await registerFontsFor(look.composition, RESOURCES, null)
  const prepared = prepare(look.composition, createCanvas(2, 2).getContext('2d'), fonts)
  for (const warning of sentencesOf(prepared.warnings)) process.stdout.write(`${look.label}: ${warning}\n`)
  const canvas = createCanvas(prepared.width, prepared.height)
  const context = canvas.getContext('2d')
  ground(context, prepared.width, prepared.height)
  const overlay = createCanvas(prepared.width, prepared.height)
  drawFrame(overlay.getContext('2d'), prepared, look.frame)
  context.drawImage(overlay, 0, 0)
  return canvas
}

/** One sheet: looks in rows, each with its name. `part` of each picture's height is shown, from `from`. */
async function sheet(
  file: string,
  looks: readonly Look[],
  columns: number,
  width: number,
  crop = { from: 0, part: 1 },
): Promise<void> {
  const pictures = []
  for (const look of looks) pictures.push({ label: look.label, canvas: await drawLook(look) })
  const heights = pictures.map(({ canvas }) => Math.round((width * canvas.height * crop.part) / canvas.width))
  const cellWidth = width + 12
  const cellHeight = Math.max(...heights) + 34
  const whole = createCanvas(columns * cellWidth, Math.ceil(pictures.length / columns) * cellHeight)
  const context = whole.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, whole.width, whole.height)
  context.imageSmoothingQuality = 'high'
  pictures.forEach(({ label, canvas }, index) => {
    const x = (index % columns) * cellWidth
    const y = Math.floor(index / columns) * cellHeight
    context.fillStyle = '#000000'
    context.font = '18px "Cutroom Inter"'
    context.fillText(label, x + 4, y + 21)
    const from = canvas.height * crop.from
    const tall = canvas.height * crop.part
    context.drawImage(canvas, 0, from, canvas.width, tall, x, y + 28, width, heights[index] ?? 0)
  })
  await writeFile(file, await whole.encode('png'))
  process.stdout.write(`${file}\n`)
}

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('Say where the sheets are to be written: npm run presets:sheet -- FOLDER\n')
  process.exitCode = 2
} else {
  const out = resolve(folder)
  await mkdir(out, { recursive: true })
  const presets = CAPTION_PRESETS.map(({ id }) => id)
  const captions = (shape: keyof typeof SHAPES): Look[] =>
    presets.map((id) => compiled(id, shape, { subtitle: { styleId: id } }))
  await sheet(join(out, 'captions.png'), captions('vertical'), 5, 380, { from: 0.55, part: 0.35 })
  await sheet(join(out, 'captions-whole.png'), captions('vertical'), 7, 250)
  const emojis = presets.map((id) =>
    compiled(
      id,
      'vertical',
      {
        subtitle: { styleId: id, emojis: true, highlightKeywords: true },
        text: 'We love money and every bike shop on fire is growing fast',
      },
      0.8,
    ),
  )
  await sheet(join(out, 'emojis.png'), emojis, 5, 380, { from: 0.55, part: 0.35 })
  await sheet(join(out, 'captions-horizontal.png'), captions('horizontal'), 4, 440)
  const long = presets.map((id) => compiled(id, 'vertical', { subtitle: { styleId: id } }, 0.3))
  await sheet(join(out, 'captions-long-words.png'), long, 5, 380, { from: 0.55, part: 0.35 })
  const titles = TITLE_PRESETS.flatMap(({ id, palettes }) =>
    palettes.map((palette) =>
      compiled(`${id} · ${palette.id}`, 'vertical', {
        title: { titlePresetId: id, titlePaletteId: palette.id, text: 'Why nobody reads the manual twice' },
      }),
    ),
  )
  await sheet(join(out, 'titles.png'), titles, 6, 300, { from: 0.05, part: 0.25 })
  const scripts = SCRIPTS.flatMap(([language, text]) =>
    ['pop', 'pill', 'box'].map((styleId) =>
      compiled(
        `${language} · ${styleId}`,
        'vertical',
        { subtitle: { styleId }, title: { text }, text, language },
        0.4,
      ),
    ),
  )
  await sheet(join(out, 'scripts.png'), scripts, 6, 300)
}
