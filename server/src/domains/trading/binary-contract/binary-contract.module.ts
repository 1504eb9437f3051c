import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { Module } from '../../module.ts';
import {
  binaryContractConfigDel,
  binaryContractConfigDetail,
  binaryContractConfigSave,
} from './binary-contract-config.service.ts';
import { listBinaryContractConfigs, fetchPlatformBinaryContractConfigs } from './binary-contract-config.store.ts';
import { binaryContractDetail, binaryContractEvidence } from './binary-contract-detail.service.ts';
import { fetchBinaryContractRisk } from './binary-contract-risk.store.ts';
import { binaryContractEvents } from './binary-contract.events.ts';
import { settleBinaryContracts, watchBinaryContracts } from './binary-contract.jobs.ts';
import { binaryContractVoid } from './binary-contract.service.ts';
import { openBinaryContracts, listBinaryContracts, lastBinaryContracts } from './binary-contract.store.ts';

export const binaryContractModule = {
  routes: {
    configList: listBinaryContractConfigs,
    configDetail: binaryContractConfigDetail,
    configSave: binaryContractConfigSave,
    configDel: binaryContractConfigDel,
    list: listBinaryContracts,
    detail: binaryContractDetail,
    change: binaryContractVoid,
    changeMany: { each: binaryContractVoid },
    evidence: binaryContractEvidence,
    risk: fetchBinaryContractRisk,
  },
  events: binaryContractEvents,
  platformCalls: [
    {
      method: 'GET',
      path: '/seconds',
      right: 'reads',
      summary: 'Returns the available second contracts',
      output: platformReads.seconds,
      answer: (app, _input, scope) => fetchPlatformBinaryContractConfigs(app.system, scope),
    },
  ],
  jobs: [
    { name: 'second-settle', everyMs: 200, run: settleBinaryContracts },
    { name: 'second-watch', everyMs: 1_000, run: watchBinaryContracts },
  ],
  search: { type: 'second', table: 'second_contract' },
  openItems: openBinaryContracts,
  userTables: [{ table: 'second_contract' }],
  lastOfUser: { contracts: lastBinaryContracts },
} satisfies Module<'second'>;
