/** The steps of the set-up, in their order: a new one is a component and one entry here. */
import { BrainCircuit, CircleUserRound, Cpu, HardDrive, Play } from '@lucide/svelte'
import type { Component } from 'svelte'
import { setUp as messages } from '../messages/set-up.ts'
import FootageStep from './FootageStep.svelte'
import MachineStep from './MachineStep.svelte'
import ModelsStep from './ModelsStep.svelte'
import OwnerStep from './OwnerStep.svelte'
import SampleStep from './SampleStep.svelte'

interface StepProps {
  /** What the step is about is done, or is as it should be already. */
  readonly ondone: () => void
}

interface Step {
  /** Second word of its address. */
  readonly name: string
  readonly label: string
  readonly about: string
  readonly icon: Component
  readonly component: Component<StepProps>
}

export const STEPS: readonly Step[] = [
  { name: 'account', ...messages.owner, icon: CircleUserRound, component: OwnerStep },
  { name: 'footage', ...messages.footage, icon: HardDrive, component: FootageStep },
  { name: 'machine', ...messages.machine, icon: Cpu, component: MachineStep },
  { name: 'models', ...messages.models, icon: BrainCircuit, component: ModelsStep },
  { name: 'sample', ...messages.sample, icon: Play, component: SampleStep },
]
