/** docs/performance.md: tables and plots of the benches of speed, from the JSON that each has stored. */
import { availableParallelism, cpus, platform, totalmem } from 'node:os'
import type { Point } from './line.ts'
import { barPlot, linePlot, type Bar } from './plot.ts'
import { asMarkdown } from './report.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

export interface Section {
  readonly markdown: string
  /** Contents of the SVG next to it; null: there is nothing to plot. */
  readonly plot: string | null
}

type Json = Readonly<Record<string, unknown>>
const record = (value: unknown): Readonly<Record<string, number>> =>
  (value ?? {}) as Readonly<Record<string, number>>
const two = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2))

interface Figures {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes?: readonly string[]
  readonly plot: BarPlot
}

interface Titled {
  readonly title: string
  readonly unit: string
}
interface BarPlot extends Titled {
  readonly bars: readonly Bar[]
}
interface LinePlot extends Titled {
  readonly points: readonly Point[]
  /** Hours. */
  readonly measuredFrom: number
}

function start(json: Json): Figures {
  const times = record(json['milliseconds'])
  const limits = record(json['limits'])
  const listening = limits['listeningMs'] ?? NaN
  const bars = [
    { name: 'first start of an empty home', value: times['first'] ?? NaN, limit: listening },
    { name: 'start of a home that is there', value: times['again'] ?? NaN, limit: listening },
    { name: 'stop', value: times['stop'] ?? NaN },
  ]
  return {
    title: 'Start',
    columns: ['what', 'ms', 'limit ms'],
    rows: bars.map(({ name, value, limit }) => [
      name,
      String(value),
      limit === undefined ? '' : String(limit),
    ]),
    notes: [
      `${String(json['idleMb'])} MB when it has nothing to do; limit ${limits['idleMb']} MB. A start takes ${record(json['ratios'])['againOverBareNode']} times as long as that of a bare Node that listens.`,
    ],
    plot: { title: 'Start', unit: 'milliseconds', bars },
  }
}

function run(json: Json): Figures {
  const stages = Object.entries((json['stages'] ?? {}) as Record<string, { count: number; seconds: number }>)
  return {
    title: 'An hour of video through a run',
    columns: ['stage', 'times', 'seconds in all'],
    rows: stages.map(([name, { count, seconds }]) => [name, String(count), two(seconds)]),
    notes: [
      `${String(json['sumSeconds'])} s for everything but speech and final encode, ${record(json['ratios'])['sumOverFloor']} times the floor; limit ${String(json['limitSeconds'])} s.`,
    ],
    plot: {
      title: 'Stages of a run',
      unit: 'seconds',
      bars: stages.map(([name, { seconds }]) => ({ name, value: seconds })),
    },
  }
}

function render(json: Json): Figures {
  const ratios = record(json['ratios'])
  const limits = record(json['limits'])
  const seconds = record(json['seconds'])
  const names = Object.keys(ratios)
  const newest = json['newest'] == null ? null : (json['newest'] as Json)
  const others = newest === null ? {} : record(newest['ratios'])
  return {
    title: 'Renders, against a bare encode of the same frames',
    columns: [
      'with',
      'seconds',
      'times bare',
      ...(newest === null ? [] : [`by ${String(newest['version'])}, times bare`]),
      'limit',
    ],
    rows: names.map((name) => [
      name,
      two(seconds[name]),
      two(ratios[name]),
      ...(newest === null ? [] : [two(others[name])]),
      two(limits[name]),
    ]),
    notes: [
      `Bare: ${two(seconds['bare'])} s, with the same still card ${two(seconds['bareCard'])} s, with the same moves ${two(seconds['bareMoving'])} s, with both ${two(seconds['bareMovingCard'])} s, which those with a card or moves are held against. ${String(json['source'])}; ${String(json['rounds'])} rounds.`,
      'By the processor alone: no graphics card was at hand, so decoding, scaling and encoding on one (docs/decisions/0102) were not measured.',
    ],
    plot: {
      title: 'Renders',
      unit: 'times a bare encode',
      bars: names.map((name) => ({
        name,
        value: ratios[name] ?? NaN,
        ...omitUndefined({ limit: limits[name] }),
      })),
    },
  }
}

function api(json: Json): Figures {
  const pages = (json['pages'] ?? []) as readonly { name: string; p50: number; p99: number; max: number }[]
  const limits = record(json['limits'])
  const rates = Object.entries(record(json['ratios']))
    .map(([path, ratio]) => `GET ${path}: ${ratio}`)
    .join(', ')
  return {
    title: `The public API over ${String(json['clips'])} clips and ${String(json['posts'])} posts`,
    columns: ['what', 'median ms', 'p99 ms', 'longest ms'],
    rows: pages.map(({ name, p50, p99, max }) => [name, two(p50), two(p99), two(max)]),
    notes: [
      `Limit of a page's p99: ${limits['pageMs']} ms. Requests a second as a share of a bare server's with the same row, at least ${limits['ratio']}: ${rates}.`,
    ],
    plot: {
      title: 'Pages of posts, p99',
      unit: 'milliseconds',
      bars: pages.map(({ name, p99 }) => ({
        name,
        value: p99,
        ...omitUndefined({ limit: limits['pageMs'] }),
      })),
    },
  }
}

function scrub(json: Json): Figures {
  const files = Object.entries((json['files'] ?? {}) as Record<string, Readonly<Record<string, number>>>)
  return {
    title: `Jumps in a source of ${String(json['seconds'])} s of 1080p, until the picture is there`,
    columns: ['cut', 'median ms', '95 of 100 ms', 'longest ms', 'MB', 'made in s'],
    rows: files.map(([name, { p50, p95, worst, megabytes, madeInSeconds }]) => [
      name === 'copied' ? 'a copy of the source (the floor)' : 'the cut to scrub in',
      ...[p50, p95, worst, megabytes, madeInSeconds].map(String),
    ]),
    notes: [`Limit: ${String(json['limitMs'])} ms.`],
    plot: {
      title: 'Jumps, 95 of 100',
      unit: 'milliseconds',
      bars: files.map(([name, { p95 = NaN }]) => ({ name, value: p95, limit: json['limitMs'] as number })),
    },
  }
}

const FIGURES: Readonly<Record<string, (json: Json) => Figures>> = { start, run, render, api, scrub }

/** Plots of benches that write their own tables. */
const PLOTS: Readonly<Record<string, (json: Json) => BarPlot | LinePlot>> = {
  soak: (json) => ({
    title: 'Memory of all processes',
    unit: 'MB',
    points: (json['samples'] as { hours: number; megabytes: number }[]).map(({ hours, megabytes }) => ({
      x: hours,
      y: megabytes,
    })),
    measuredFrom: (json['warmUpMinutes'] as number) / 60,
  }),
  load: (json) => ({
    title: 'Calls of 50 clients',
    unit: 'milliseconds',
    bars: [
      { name: 'nothing to do, p99', value: record(json['floor'])['p99'] ?? NaN },
      {
        name: '4 runs and 4 renders, p99',
        value: record(json['loaded'])['p99'] ?? NaN,
        limit: record(json['limits'])['p99Ms'] ?? NaN,
      },
    ],
  }),
  open: (json) => ({
    title: 'First paint',
    unit: 'milliseconds',
    bars: [
      ...(json['opened'] as { name: string; paint: number }[]).map(({ name, paint }) => ({
        name: `a clip of ${name}`,
        value: paint,
      })),
      ...Object.entries(record(json['paints'])).map(([name, value]) => ({ name, value })),
    ].map((bar) => ({ ...bar, limit: record(json['limits'])['paintMs'] ?? NaN })),
  }),
  domain: (json) => {
    const lists = json['lists'] as { timed: readonly { name: string; p99: number; limitMs: number }[] }
    return {
      title: 'GET /clips, p99',
      unit: 'milliseconds',
      bars: lists.timed.map(({ name, p99, limitMs }) => ({ name, value: p99, limit: limitMs })),
    }
  },
}

/**
 * The section of a bench of speed; null: it is none. `own`: the tables that the bench has written itself. `picture` is
 * the address of the plot, as the file names it.
 */
export function sectionOf(
  name: string,
  json: object,
  own: string | undefined,
  picture: string,
): Section | null {
  const figures = FIGURES[name]?.(json as Json)
  const drawn = figures?.plot ?? PLOTS[name]?.(json as Json)
  const tables =
    own ??
    (figures === undefined
      ? undefined
      : asMarkdown({ title: figures.title, tables: [{ ...figures, title: 'Figures' }], unmeasured: [] }))
  if (tables === undefined) return null
  if (drawn === undefined) return { markdown: tables, plot: null }
  return {
    markdown: `${tables}\n\n![${drawn.title}, ${drawn.unit}](${picture})`,
    plot:
      'bars' in drawn
        ? barPlot(drawn.title, drawn.unit, drawn.bars)
        : linePlot(drawn.title, drawn.unit, drawn),
  }
}

/** What it was measured on, without a name of it. */
export function machineFacts(now: Date): string {
  const model = cpus()[0]?.model.trim() ?? ''
  const named = model === '' || model === 'unknown' ? 'a processor that does not tell its model' : model
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores of ${named}, ${memory} GiB of memory, ${platform()}, Node ${process.version}, ${now.toISOString().slice(0, 10)}.`
}
