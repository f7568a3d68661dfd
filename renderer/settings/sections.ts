/** The sections of the settings: a new one is a file and one entry here. */
import {
  AudioLines,
  BrainCircuit,
  CircleUserRound,
  Cpu,
  DatabaseBackup,
  Fingerprint,
  FolderInput,
  HardDrive,
  Info,
  KeyRound,
  ListChecks,
  MessagesSquare,
  Network,
  ScrollText,
  Server,
  SlidersHorizontal,
  Users,
  Webhook,
} from '@lucide/svelte'
import type { Component } from 'svelte'
import type { Ability } from '../../server/contract/people.ts'
import AboutSection from './About.svelte'
import AccountSection from './Account.svelte'
import ApplianceSection from './Appliance.svelte'
import AuditSection from './Audit.svelte'
import BackupSection from './Backup.svelte'
import ClientsSection from './Clients.svelte'
import HardwareSection from './Hardware.svelte'
import KeysSection from './Keys.svelte'
import ModelsSection from './Models.svelte'
import ModelServersSection from './ModelServers.svelte'
import PeopleSection from './People.svelte'
import ProviderSection from './SignInProvider.svelte'
import SetUpSection from './SetUp.svelte'
import StorageSection from './Storage.svelte'
import VoicesSection from './Voices.svelte'
import WatchFoldersSection from './WatchFolders.svelte'
import WebhooksSection from './Webhooks.svelte'
import WorkersSection from './Workers.svelte'
import { appliance } from '../messages/appliance.ts'
import { sections as messages } from '../messages/settings.ts'
import { setUp } from '../messages/set-up.ts'
import { account, provider } from '../messages/sign-in.ts'
import { watch } from '../messages/watch.ts'
import { workers } from '../messages/workers.ts'

/** Headings of the list, in their order. */
export const GROUPS = ['you', 'studio', 'connections', 'machine'] as const
type SectionGroup = (typeof GROUPS)[number]

export interface Section {
  /** Second word of its address. */
  readonly name: string
  readonly label: string
  readonly icon: Component
  /** What it takes to see it. */
  readonly needs: Ability
  readonly page: Component
  readonly group: SectionGroup
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'models',
    label: messages.models,
    icon: BrainCircuit,
    needs: 'read',
    page: ModelsSection,
    group: 'machine',
  },
  {
    name: 'hardware',
    label: messages.hardware,
    icon: Cpu,
    needs: 'machine',
    page: HardwareSection,
    group: 'machine',
  },
  {
    name: 'workers',
    label: workers.section,
    icon: Server,
    needs: 'machine',
    page: WorkersSection,
    group: 'machine',
  },
  {
    name: 'storage',
    label: messages.storage,
    icon: HardDrive,
    needs: 'storage',
    page: StorageSection,
    group: 'machine',
  },
  {
    name: 'watch-folders',
    label: watch.section,
    icon: FolderInput,
    needs: 'machine',
    page: WatchFoldersSection,
    group: 'studio',
  },
  {
    name: 'keys',
    label: messages.keys,
    icon: KeyRound,
    needs: 'keys',
    page: KeysSection,
    group: 'connections',
  },
  {
    name: 'clients',
    label: messages.clients,
    icon: Network,
    needs: 'clients',
    page: ClientsSection,
    group: 'connections',
  },
  {
    name: 'webhooks',
    label: messages.webhooks,
    icon: Webhook,
    needs: 'webhooks',
    page: WebhooksSection,
    group: 'connections',
  },
  {
    name: 'voices',
    label: messages.voices,
    icon: AudioLines,
    needs: 'voices',
    page: VoicesSection,
    group: 'studio',
  },
  {
    name: 'account',
    label: account.section,
    icon: CircleUserRound,
    needs: 'self',
    page: AccountSection,
    group: 'you',
  },
  {
    name: 'people',
    label: messages.people,
    icon: Users,
    needs: 'people',
    page: PeopleSection,
    group: 'studio',
  },
  {
    name: 'sign-in',
    label: provider.section,
    icon: Fingerprint,
    needs: 'people',
    page: ProviderSection,
    group: 'studio',
  },
  {
    name: 'audit',
    label: messages.audit,
    icon: ScrollText,
    needs: 'audit',
    page: AuditSection,
    group: 'studio',
  },
  {
    name: 'backup',
    label: messages.backup,
    icon: DatabaseBackup,
    needs: 'backup',
    page: BackupSection,
    group: 'machine',
  },
  {
    name: 'model-servers',
    label: messages.modelServers,
    icon: MessagesSquare,
    needs: 'machine',
    page: ModelServersSection,
    group: 'connections',
  },
  {
    name: 'appliance',
    label: appliance.section,
    icon: SlidersHorizontal,
    needs: 'machine',
    page: ApplianceSection,
    group: 'machine',
  },
  {
    name: 'set-up',
    label: setUp.section,
    icon: ListChecks,
    needs: 'machine',
    page: SetUpSection,
    group: 'machine',
  },
  { name: 'about', label: messages.about, icon: Info, needs: 'read', page: AboutSection, group: 'machine' },
]
