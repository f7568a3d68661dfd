/** Plays a mix: an element that changes speed at the same pitch, through a volume, past a meter. */

export interface Level {
  /** dB of full scale; -Infinity: silence. */
  readonly peak: number
  readonly rms: number
}

/** Samples that the meter looks at. */
const METERED = 2048

/** How long to wait for the sound device. */
const PATIENCE_MS = 500

export function createOutput() {
  const audio = new Audio()
  audio.preload = 'auto'
  audio.preservesPitch = true
  let address: string | null = null
  let graph: ReturnType<typeof buildGraph> | null = null
  let volume = 1

  return {
    audio,
    /** Resolves when it can be played. */
    async load(wav: ArrayBuffer): Promise<void> {
      const before = address
      address = URL.createObjectURL(new Blob([wav], { type: 'audio/wav' }))
      const ready = new Promise<void>((resolve, reject) => {
        audio.addEventListener('loadeddata', () => resolve(), { once: true })
        audio.addEventListener('error', () => reject(new Error(audio.error?.message)), { once: true })
      })
      audio.src = address
      await ready
      if (before !== null) URL.revokeObjectURL(before)
    },
    /** Browsers want a person to act before there is sound. */
    resume: async (): Promise<void> => {
      graph ??= buildGraph(audio)
      graph.gain.gain.value = volume
      // Until a person acts, or without a sound device, it may wait for ever.
      await Promise.race([graph.context.resume(), new Promise((done) => setTimeout(done, PATIENCE_MS))])
    },
    isRunning: (): boolean => graph?.context.state === 'running',
    /** A factor, 0 to 1. */
    setVolume(next: number): void {
      volume = next
      if (graph !== null) graph.gain.gain.value = next
    },
    levels: (): readonly Level[] => graph?.meters.map(levelOf) ?? [],
    close(): void {
      audio.removeAttribute('src')
      audio.load()
      if (address !== null) URL.revokeObjectURL(address)
      void graph?.context.close()
    },
  }
}

function buildGraph(audio: HTMLAudioElement) {
  const context = new AudioContext({ latencyHint: 'interactive' })
  const source = context.createMediaElementSource(audio)
  const gain = context.createGain()
  const sides = context.createChannelSplitter(2)
  const meters = [0, 1].map((side) => {
    const meter = context.createAnalyser()
    meter.fftSize = METERED
    sides.connect(meter, side)
    return meter
  })
  // The meter shows the clip's own level, whatever the volume.
  source.connect(sides)
  source.connect(gain).connect(context.destination)
  return { context, gain, meters }
}

function levelOf(meter: AnalyserNode): Level {
  const samples = new Float32Array(METERED)
  meter.getFloatTimeDomainData(samples)
  let peak = 0
  let sum = 0
  for (const value of samples) {
    peak = Math.max(peak, Math.abs(value))
    sum += value * value
  }
  return { peak: 20 * Math.log10(peak), rms: 10 * Math.log10(sum / METERED) }
}
