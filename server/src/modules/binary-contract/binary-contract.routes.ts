import type { HandlersOf } from '../../resources.ts';
import { binaryContractConfigDel, binaryContractConfigSave } from './binary-contract-config.service.ts';
import { listBinaryContractConfigs } from './binary-contract-config.store.ts';
import { binaryContractDetail, binaryContractEvidence } from './binary-contract-detail.service.ts';
import { binaryContractRisk } from './binary-contract-risk.store.ts';
import { binaryContractVoid } from './binary-contract.service.ts';
import { listBinaryContracts } from './binary-contract.store.ts';

export const binaryContractRoutes: HandlersOf<'second'> = {
  configList: listBinaryContractConfigs,
  configSave: binaryContractConfigSave,
  configDel: binaryContractConfigDel,
  list: listBinaryContracts,
  detail: binaryContractDetail,
  change: binaryContractVoid,
  changeMany: { each: binaryContractVoid },
  evidence: binaryContractEvidence,
  risk: binaryContractRisk,
};
