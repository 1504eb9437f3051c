import { CheckOutlined, CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { type FirstStep, firstSteps, installation } from '@hengtai/contract/desk/installation/calls';
import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { FOUR_EYES_PATH } from '@hengtai/contract/authority/target';
import { KLINE_SETTING_PATH } from '../../../navigation/kline-setting-path.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { usePageActive } from '../../../navigation/page-route.ts';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';

const ChangePasswordDialog = dialogOnDemand(
  async () => (await import('../../house/security/exported/ChangePasswordDialog.tsx')).ChangePasswordDialog,
);
const SecurityDrawer = onDemand(
  async () => (await import('../../house/security/exported/SecurityDrawer.tsx')).SecurityDrawer,
);

const REFETCH_MS = 30_000;

interface Step {
  title: string;
  why: string;
  /** Label of the link or button that leads to the step. */
  linkText: string;
  /** Path of the page; undefined if the step is a dialog of the shell. */
  to?: string;
}

const steps: Readonly<Record<FirstStep, Step>> = {
  password: { title: '修改初始密码', why: '初始密码可能留在启动日志或环境变量里。', linkText: '修改密码' },
  otp: { title: '启用第二因素', why: '密码泄露时，账号仍然安全。', linkText: '安全设置' },
  second: {
    title: '添加第二位操作员',
    why: '触发复核的操作由另一个人确认，提交人不能复核自己的操作。',
    linkText: '代理管理',
    to: '/agent',
  },
  lock: {
    title: '锁定四眼',
    why: '有三名启用验证码的复核员之后锁定：此后没有人能独自放宽保护。',
    linkText: '复核',
    to: FOUR_EYES_PATH,
  },
  market: {
    title: '核对市场设置',
    why: '价格精度、手续费和提现限额按自己的平台修改并保存。',
    linkText: '市场管理',
    to: '/market',
  },
  gateway: {
    title: '接入交易平台',
    why: '密钥在数据目录的 platform-key.json；收到第一个事件即为接通。',
    linkText: '系统设置',
    to: '/config',
  },
  kline: {
    title: '填写行情图网站',
    why: '菜单「预设K线」在新窗口打开它；填写之前，菜单引到这项设置。',
    linkText: '填写地址',
    to: KLINE_SETTING_PATH,
  },
  live: { title: '上线', why: '历史数据导入完整之后再上线；上线后不能撤回。', linkText: '系统设置', to: '/config' },
};

/**
 * 首次使用: checklist for the admin, with the progress from the server. One line with the next step, which unfolds to all
 * steps.
 */
export function FirstSteps({ onDismiss }: { onDismiss: () => void }) {
  const active = usePageActive();
  const { data } = useRead(installation.steps, {}, { refetchMs: active && REFETCH_MS });
  const [isUnfolded, setIsUnfolded] = useState(false);
  const [open, setOpen] = useState<'password' | 'otp'>();
  const done = data ? firstSteps.filter((step) => data[step]).length : 0;
  const next = data && firstSteps.find((step) => !data[step]);

  return (
    <section className="ht-home-steps" aria-labelledby="home-steps-title" aria-busy={!data}>
      <header>
        <h2 id="home-steps-title">开始使用</h2>
        {data && (
          <>
            <span className="ht-home-progress" aria-hidden>
              <i style={{ inlineSize: `${(done / firstSteps.length) * 100}%` }} />
            </span>
            <span>
              已完成 {done} / {firstSteps.length}
            </span>
            {!isUnfolded && next && (
              <span className="ht-home-next">
                下一步：{steps[next].title}
                <StepLink step={next} onOpen={setOpen} />
              </span>
            )}
            <span className="ht-home-steps-tools">
              <Button
                size="small"
                type="text"
                icon={isUnfolded ? <UpOutlined /> : <DownOutlined />}
                aria-expanded={isUnfolded}
                onClick={() => setIsUnfolded(!isUnfolded)}
              >
                {isUnfolded ? '收起' : '全部步骤'}
              </Button>
              <Button size="small" type="text" icon={<CloseOutlined />} onClick={onDismiss}>
                不再显示
              </Button>
            </span>
          </>
        )}
      </header>
      {data && isUnfolded && (
        <ol>
          {firstSteps.map((key, index) => (
            <li key={key} data-done={data[key]} aria-current={key === next ? 'step' : undefined}>
              <i aria-hidden>{data[key] ? <CheckOutlined /> : index + 1}</i>
              <div>
                <b>{steps[key].title}</b>
                <p>{data[key] ? '已完成' : steps[key].why}</p>
                {!data[key] && <StepLink step={key} onOpen={setOpen} />}
              </div>
            </li>
          ))}
        </ol>
      )}
      {open === 'password' && <ChangePasswordDialog onClose={() => setOpen(undefined)} />}
      {open === 'otp' && <SecurityDrawer open onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function StepLink({ step, onOpen }: { step: FirstStep; onOpen: (open: 'password' | 'otp') => void }) {
  const { linkText, to } = steps[step];
  if (to !== undefined) return <PageLink to={to}>{linkText}</PageLink>;
  return (
    <button
      type="button"
      className="ht-home-way"
      onClick={() => (step === 'password' || step === 'otp') && onOpen(step)}
    >
      {linkText}
    </button>
  );
}
