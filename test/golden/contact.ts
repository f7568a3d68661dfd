/**
 * `npm run golden:sheet`: every golden frame as stored, as drawn now, and the difference (three times as bright), the
 * least alike first, on one page: test/.artifacts/golden/sheet.html and sheet.png. To look at before `renew.ts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { GOLDEN_CASES } from './cases.ts'
import { ARTIFACTS, compare, drawCase, IMAGES, readPicture } from './draw.ts'

interface Row {
  readonly name: string
  /** Null: there is no such picture yet. */
  readonly wanted: Canvas | null
  readonly drawn: Canvas
  readonly difference: Canvas
  readonly score: ReturnType<typeof compare>
}

const LABEL = 22
const GAP = 8

async function rowOf(golden: (typeof GOLDEN_CASES)[number]): Promise<Row> {
  const file = join(IMAGES, `${golden.name}.png`)
  const known = await readFile(file).then(
    () => true,
    () => false,
  )
  const wanted = known ? await readPicture(file) : null
  const drawn = await drawCase(golden)
  const score = wanted === null ? { mean: 0, worst: 0, difference: 255 } : compare(wanted, drawn)
  return { name: golden.name, wanted, drawn, difference: differenceOf(wanted, drawn), score }
}

function differenceOf(wanted: Canvas | null, drawn: Canvas): Canvas {
  const canvas = createCanvas(drawn.width, drawn.height)
  const context = canvas.getContext('2d')
  context.drawImage(drawn, 0, 0)
  context.globalCompositeOperation = 'difference'
  if (wanted !== null) context.drawImage(wanted, 0, 0)
  context.globalCompositeOperation = 'lighter'
  const once = createCanvas(drawn.width, drawn.height)
  once.getContext('2d').drawImage(canvas, 0, 0)
  for (let more = 0; more < 2; more++) context.drawImage(once, 0, 0)
  return canvas
}

const caption = ({ name, score, wanted }: Row): string =>
  wanted === null
    ? `${name}: new`
    : `${name}: similarity ${score.mean.toFixed(4)}, worst window ${score.worst.toFixed(3)}, mean difference ${score.difference.toFixed(3)}`

function sheetOf(rows: readonly Row[]): Canvas {
  const cell = Math.max(...rows.map(({ drawn, wanted }) => Math.max(drawn.width, wanted?.width ?? 0)))
  const height = (row: Row): number => Math.max(row.drawn.height, row.wanted?.height ?? 0) + LABEL + GAP
  const sheet = createCanvas(
    3 * (cell + GAP),
    rows.reduce((sum, row) => sum + height(row), 0),
  )
  const context = sheet.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, sheet.width, sheet.height)
  context.font = '14px sans-serif'
  let top = 0
  for (const row of rows) {
    context.fillStyle = '#111114'
    context.fillText(caption(row), 2, top + LABEL - 7)
    for (const [column, picture] of [row.wanted, row.drawn, row.difference].entries()) {
      if (picture !== null) context.drawImage(picture, column * (cell + GAP), top + LABEL)
    }
    top += height(row)
  }
  return sheet
}

async function pageOf(rows: readonly Row[]): Promise<string> {
  const address = async (picture: Canvas | null): Promise<string> =>
    picture === null
      ? ''
      : `<img src="data:image/png;base64,${(await picture.encode('png')).toString('base64')}">`
  const lines = await Promise.all(
    rows.map(async (row) => {
      const cells = await Promise.all([row.wanted, row.drawn, row.difference].map(address))
      return `<tr><th colspan="3">${caption(row)}</th></tr><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    }),
  )
  const head = '<tr><td>expected</td><td>actual</td><td>difference, three times</td></tr>'
  const style =
    '<style>body{font:14px sans-serif}th{text-align:left;padding-top:12px}img{max-width:100%}</style>'
  return `<!doctype html><meta charset="utf-8"><title>Golden frames</title>${style}<table>${head}${lines.join('\n')}</table>\n`
}

const rows: Row[] = []
for (const golden of GOLDEN_CASES) rows.push(await rowOf(golden))
rows.sort((a, b) => a.score.mean - b.score.mean)
await mkdir(ARTIFACTS, { recursive: true })
const page = join(ARTIFACTS, 'sheet.html')
await writeFile(page, await pageOf(rows))
await writeFile(join(ARTIFACTS, 'sheet.png'), await sheetOf(rows).encode('png'))
const changed = rows.filter(({ score }) => score.difference > 0).length
process.stdout.write(`${rows.length} golden frames, ${changed} drawn differently than kept: ${page}\n`)
