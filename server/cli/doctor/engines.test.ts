import { describe, expect, test } from 'vitest'
import { checkInference } from './engines.ts'

describe('checkInference', () => {
  test('opens a model and names what it runs on', async () => {
    const check = await checkInference({ inference: 'cpu' })
    expect(check).toMatchObject({
      name: 'onnx',
      state: 'ok',
      found: expect.stringMatching(/^models run on the processor \(the runtime has cpu/) as string,
    })
  })

  test('warns of a card that does not work, with a way out', async () => {
    const source = {
      platform: 'win32',
      failures: new Map(),
      backends: () => [
        { name: 'cpu', complete: true },
        { name: 'dml', complete: true },
      ],
    }
    if (process.platform === 'win32') return
    const check = await checkInference({ inference: 'auto' }, source)
    expect(check).toMatchObject({
      state: 'warning',
      mend: expect.stringContaining('CUTROOM_INFERENCE') as string,
    })
    expect(check.found).toContain('DirectML does not work here, so models run on the processor')
  })
})
