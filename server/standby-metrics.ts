/** Metrics of an appliance that has a standby: what is shipped, and who follows. No samples without one. */
import type { Registry } from 'prom-client'
import type { Services } from './domain/services.ts'

/** Answers what measures them, once for each exposition. */
export async function addStandby(
  registry: Registry,
  { charge }: Pick<Services, 'charge'>,
): Promise<() => void> {
  const { Gauge } = await import('prom-client')
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] })
    // One without labels would be 0, and not absent, before it is set.
    made.reset()
    return made
  }
  const epoch = gauge('cutroom_standby_epoch', 'Which time of being in charge this is; none: no standby', [])
  const lag = gauge('cutroom_standby_lag_seconds', 'How long the oldest change waits to be shipped', [])
  const shipped = gauge('cutroom_standby_shipped_bytes', 'Shipped since the start', [])
  const followers = gauge(
    'cutroom_standby_followers',
    'Standbys that are there, by whether their key opens what is sealed here',
    ['key'],
  )
  return () => {
    if (charge === undefined) return
    const facts = charge.facts()
    epoch.set(facts.epoch)
    lag.set(facts.lagMs / 1000)
    shipped.set(facts.bytes)
    const fitting = facts.followers.filter(({ keyFits }) => keyFits).length
    followers.set({ key: 'fits' }, fitting)
    followers.set({ key: 'differs' }, facts.followers.length - fitting)
  }
}
