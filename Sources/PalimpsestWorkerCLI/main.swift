import PalimpsestWorker

await WorkerTool.main()
