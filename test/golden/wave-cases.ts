/** Golden frames of the wave in its three forms, and of the shapes beside it. */
import type { AudiogramLayer, Layer } from '../../server/contract/composition.ts'
import { encodeWave } from '../../server/contract/clip-measurements.ts'
import { sampleComposition } from '../support/sample-composition.ts'

const FRAMES = 300

/** Syllables of different strength, and silence for two thirds of a second from frame 100 on. */
const TALKING = encodeWave(
  Array.from({ length: FRAMES }, (_, frame) =>
    frame >= 100 && frame < 120
      ? 0
      : Math.abs(Math.sin(frame * 0.37)) * (0.35 + 0.65 * Math.abs(Math.sin(frame * 0.061))),
  ),
)

const WAVE: AudiogramLayer = {
  kind: 'audiogram',
  id: 'wave',
  colour: '#6ee7c8',
  style: 'bars',
  startFrame: 0,
  endFrame: FRAMES,
  rect: { x: 108, y: 700, width: 864, height: 260 },
  levels: TALKING,
  framesPerLevel: 1,
}

const one = (name: string, frame: number, layer: Layer) => ({
  name,
  frame,
  composition: sampleComposition({ width: 540, height: 960, durationFrames: FRAMES, layers: [layer] }),
})

export const WAVE_CASES = [
  one('wave-bars', 72, WAVE),
  one('wave-bars-silent', 119, WAVE),
  one('wave-mirror', 92, { ...WAVE, style: 'mirror' }),
  one('wave-line', 72, { ...WAVE, style: 'line' }),
  one('wave-bars-on-a-picture', 72, { ...WAVE, colour: '#ffffff', halo: { colour: '#00000066', width: 3 } }),
  one('wave-mirror-glowing', 92, { ...WAVE, style: 'mirror', halo: { colour: '#6ee7c83d', width: 6 } }),
  one('shape-gradient-round', 5, {
    kind: 'shape',
    id: 'shape',
    colour: '#ff8748',
    colourTo: '#9c1f6b',
    radius: 60,
    rect: { x: 200, y: 300, width: 500, height: 300 },
    startFrame: 0,
    endFrame: FRAMES,
  }),
]
