/** A canvas that writes down what is drawn on it, for the tests of the compositor. */
import type { DrawingContext } from '../../workers/compositor/canvas.ts'
import type { FontTable } from '../../workers/compositor/font-table.ts'
import type { LayoutContext } from '../../workers/compositor/layers/layer.ts'
import { warnTo, type RenderRemark } from '../../server/contract/render-remarks.ts'
import { settingOf } from '../../workers/compositor/layer-setting.ts'

const STATE = [
  'globalAlpha',
  'globalCompositeOperation',
  'lineWidth',
  'shadowColor',
  'shadowBlur',
  'shadowOffsetX',
  'shadowOffsetY',
  'strokeStyle',
  'fillStyle',
  'direction',
] as const

interface RecordingCanvas {
  readonly canvas: DrawingContext
  /** `name(arguments)` of each call, and `name = value` of what was set of the state that is seen in pictures. */
  readonly calls: string[]
}

const plain = (value: unknown): string =>
  typeof value === 'number'
    ? String(Math.round(value * 1000) / 1000 + 0)
    : typeof value === 'object' && value !== null && 'name' in value
      ? String(value.name)
      : JSON.stringify(value)

/** Every letter is half its font size wide; capitals are 0.7 of it high. */
export function recordingCanvas(): RecordingCanvas {
  const calls: string[] = []
  const state: Record<string, unknown> = { font: '' }
  const gradient = { name: 'gradient', addColorStop: (...stop: unknown[]) => note('addColorStop', stop) }
  const note = (name: string, parameters: readonly unknown[]): void => {
    calls.push(`${name}(${parameters.map(plain).join(', ')})`)
  }
  const measureText = (text: string) => {
    const size = Number(/([\d.]+)px/.exec(String(state['font']))?.[1] ?? 0)
    return {
      width: text.length * size * 0.5,
      actualBoundingBoxAscent: size * 0.7,
      actualBoundingBoxDescent: 0,
    }
  }
  const canvas = new Proxy(state, {
    get: (_, name: string) => {
      if (name === 'measureText') return measureText
      if (name in state) return state[name]
      return (...parameters: unknown[]) => {
        note(name, parameters)
        return gradient
      }
    },
    set: (_, name: string, value: unknown) => {
      if (STATE.some((one) => one === name) && state[name] !== value) calls.push(`${name} = ${plain(value)}`)
      state[name] = value
      return true
    },
  })
  return { canvas: canvas as unknown as DrawingContext, calls }
}

/** One weight of the text font, and the fallback of emoji; no file is opened. */
export const FONTS: FontTable = {
  parts: [],
  fallbackFamily: 'Montserrat',
  scriptFamilies: ['Twemoji'],
  fonts: ['Montserrat', 'Twemoji'].map((family) => ({
    family,
    weight: 800,
    style: 'normal',
    file: `${family}.ttf`,
    licence: 'OFL-1.1',
    licenceFile: 'x',
  })),
}

/** What layers are laid out with: an output of 1080 x 1920 at 30 frames a second, 100 frames long. */
export function layoutContext(
  more: Partial<LayoutContext> = {},
): LayoutContext & { warnings: RenderRemark[] } {
  const warnings: RenderRemark[] = []
  return {
    canvas: recordingCanvas().canvas,
    fonts: FONTS,
    pictures: new Map(),
    videos: null,
    width: 1080,
    height: 1920,
    unit: 1,
    framesPerSecond: 30,
    frameRate: { numerator: 30, denominator: 1 },
    durationFrames: 100,
    setting: settingOf('title'),
    warn: warnTo(warnings),
    warnings,
    ...more,
  }
}
