; Made of sha256_x86.c by `python -m native`; SHA-256 of that file and what it includes:
; 8a800333efe48001d215142eb353eee60cd8c783e6a7d00f4816f375fab37962

%struct.state = type { <2 x i64>, <2 x i64> }

define void @hash_texts(ptr %0) {
  %2 = alloca [32 x i8], align 16
  %3 = alloca [32 x i8], align 16
  %4 = alloca %struct.state, align 16
  %5 = alloca %struct.state, align 16
  %6 = alloca %struct.state, align 16
  %7 = alloca %struct.state, align 16
  %8 = alloca %struct.state, align 16
  %9 = alloca %struct.state, align 16
  %10 = alloca %struct.state, align 16
  %11 = alloca [32 x i8], align 16
  %12 = alloca [32 x i8], align 16
  %13 = getelementptr inbounds i8, ptr %0, i64 24
  %14 = load ptr, ptr %13, align 8
  store <16 x i8> <i8 -116, i8 104, i8 5, i8 -101, i8 127, i8 82, i8 14, i8 81, i8 -123, i8 -82, i8 103, i8 -69, i8 103, i8 -26, i8 9, i8 106>, ptr %6, align 16
  %15 = getelementptr inbounds i8, ptr %6, i64 16
  store <8 x i16> <i16 -13031, i16 23520, i16 -9813, i16 8067, i16 -2758, i16 -23217, i16 -3214, i16 15470>, ptr %15, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %5, ptr align 16 %6, i64 32, i1 false)
  %16 = icmp eq ptr %14, null
  br i1 %16, label %17, label %18

17:                                               ; preds = %1
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %7, ptr align 16 %6, i64 32, i1 false)
  br label %21

18:                                               ; preds = %1
  call fastcc void @compress(ptr align 16 %6, ptr %14, ptr %5, ptr %14)
  %19 = getelementptr inbounds i8, ptr %14, i64 64
  store <16 x i8> <i8 -116, i8 104, i8 5, i8 -101, i8 127, i8 82, i8 14, i8 81, i8 -123, i8 -82, i8 103, i8 -69, i8 103, i8 -26, i8 9, i8 106>, ptr %8, align 16
  %20 = getelementptr inbounds i8, ptr %8, i64 16
  store <8 x i16> <i16 -13031, i16 23520, i16 -9813, i16 8067, i16 -2758, i16 -23217, i16 -3214, i16 15470>, ptr %20, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %4, ptr align 16 %8, i64 32, i1 false)
  call fastcc void @compress(ptr align 16 %8, ptr %19, ptr %4, ptr %19)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %7, ptr align 16 %8, i64 32, i1 false)
  br label %21

21:                                               ; preds = %17, %18
  %22 = phi i64 [ 0, %17 ], [ 64, %18 ]
  %23 = getelementptr inbounds i8, ptr %0, i64 40
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = load i64, ptr %24, align 8
  %26 = icmp sgt i64 %25, 0
  br i1 %26, label %27, label %39

27:                                               ; preds = %21
  %28 = load i64, ptr %23, align 8
  %29 = icmp eq i64 %28, 0
  %30 = getelementptr inbounds i8, ptr %0, i64 8
  %31 = getelementptr inbounds i8, ptr %9, i64 16
  %32 = getelementptr inbounds i8, ptr %11, i64 16
  %33 = getelementptr inbounds i8, ptr %10, i64 16
  %34 = getelementptr inbounds i8, ptr %12, i64 16
  %35 = getelementptr inbounds i8, ptr %0, i64 32
  %36 = select i1 %29, i64 5, i64 6
  %37 = getelementptr inbounds i8, ptr %3, i64 16
  %38 = getelementptr inbounds i8, ptr %2, i64 16
  br label %40

39:                                               ; preds = %177, %21
  ret void

40:                                               ; preds = %27, %177
  %41 = phi i64 [ %25, %27 ], [ %179, %177 ]
  %42 = phi i64 [ 0, %27 ], [ %178, %177 ]
  %43 = or i64 %42, 1
  %44 = icmp slt i64 %43, %41
  %45 = select i1 %44, i64 %43, i64 %42
  %46 = load ptr, ptr %0, align 8
  %47 = load ptr, ptr %30, align 8
  %48 = getelementptr inbounds i64, ptr %47, i64 %42
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds i8, ptr %46, i64 %49
  %51 = getelementptr inbounds i64, ptr %47, i64 %43
  %52 = load i64, ptr %51, align 8
  %53 = sub i64 %52, %49
  %54 = getelementptr inbounds i64, ptr %47, i64 %45
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds i8, ptr %46, i64 %55
  %57 = getelementptr inbounds i8, ptr %54, i64 8
  %58 = load i64, ptr %57, align 8
  %59 = sub i64 %58, %55
  call fastcc void @hash(ptr byval(%struct.state) align 16 %6, ptr %50, i64 %53, ptr %9, ptr %56, i64 %59, ptr %10, i64 %22)
  %60 = load ptr, ptr %13, align 8
  %61 = icmp eq ptr %60, null
  br i1 %61, label %83, label %62

62:                                               ; preds = %40
  %63 = load <4 x i32>, ptr %9, align 16
  %64 = load <4 x i32>, ptr %31, align 16
  %65 = shufflevector <4 x i32> %63, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %66 = shufflevector <4 x i32> %64, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %67 = shufflevector <4 x i32> %65, <4 x i32> %66, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %68 = bitcast <4 x i32> %67 to <16 x i8>
  %69 = shufflevector <16 x i8> %68, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %69, ptr %11, align 16
  %70 = shufflevector <4 x i32> %65, <4 x i32> %66, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %71 = bitcast <4 x i32> %70 to <16 x i8>
  %72 = shufflevector <16 x i8> %71, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %72, ptr %32, align 16
  %73 = load <4 x i32>, ptr %10, align 16
  %74 = load <4 x i32>, ptr %33, align 16
  %75 = shufflevector <4 x i32> %73, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %76 = shufflevector <4 x i32> %74, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %77 = shufflevector <4 x i32> %75, <4 x i32> %76, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %78 = bitcast <4 x i32> %77 to <16 x i8>
  %79 = shufflevector <16 x i8> %78, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %79, ptr %12, align 16
  %80 = shufflevector <4 x i32> %75, <4 x i32> %76, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %81 = bitcast <4 x i32> %80 to <16 x i8>
  %82 = shufflevector <16 x i8> %81, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %82, ptr %34, align 16
  call fastcc void @hash(ptr byval(%struct.state) align 16 %7, ptr %11, i64 32, ptr %9, ptr %12, i64 32, ptr %10, i64 %22)
  br label %83

83:                                               ; preds = %62, %40
  %84 = load i64, ptr %23, align 8
  %85 = icmp eq i64 %84, 0
  %86 = load ptr, ptr %35, align 8
  %87 = shl i64 %42, %36
  %88 = getelementptr inbounds i8, ptr %86, i64 %87
  %89 = load <4 x i32>, ptr %9, align 16
  %90 = load <4 x i32>, ptr %31, align 16
  br i1 %85, label %153, label %91

91:                                               ; preds = %83
  %92 = shufflevector <4 x i32> %89, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %93 = shufflevector <4 x i32> %90, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %94 = shufflevector <4 x i32> %92, <4 x i32> %93, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %95 = bitcast <4 x i32> %94 to <16 x i8>
  %96 = shufflevector <16 x i8> %95, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %96, ptr %3, align 16
  %97 = shufflevector <4 x i32> %92, <4 x i32> %93, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %98 = bitcast <4 x i32> %97 to <16 x i8>
  %99 = shufflevector <16 x i8> %98, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %99, ptr %37, align 16
  br label %100

100:                                              ; preds = %100, %91
  %101 = phi i1 [ true, %91 ], [ false, %100 ]
  %102 = phi i64 [ 0, %91 ], [ 1, %100 ]
  %103 = shl i64 %102, 4
  %104 = getelementptr inbounds i8, ptr %3, i64 %103
  %105 = load <2 x i64>, ptr %104, align 16
  %106 = bitcast <2 x i64> %105 to <8 x i16>
  %107 = lshr <8 x i16> %106, splat (i16 4)
  %108 = bitcast <8 x i16> %107 to <16 x i8>
  %109 = and <16 x i8> %108, splat (i8 15)
  %110 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %109)
  %111 = bitcast <2 x i64> %105 to <16 x i8>
  %112 = and <16 x i8> %111, splat (i8 15)
  %113 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %112)
  %114 = shl i64 %102, 5
  %115 = getelementptr inbounds i8, ptr %88, i64 %114
  %116 = shufflevector <16 x i8> %110, <16 x i8> %113, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  store <16 x i8> %116, ptr %115, align 1
  %117 = getelementptr inbounds i8, ptr %115, i64 16
  %118 = shufflevector <16 x i8> %110, <16 x i8> %113, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  store <16 x i8> %118, ptr %117, align 1
  br i1 %101, label %100, label %119

119:                                              ; preds = %100
  %120 = load ptr, ptr %35, align 8
  %121 = shl i64 %45, %36
  %122 = getelementptr inbounds i8, ptr %120, i64 %121
  %123 = load <4 x i32>, ptr %10, align 16
  %124 = load <4 x i32>, ptr %33, align 16
  %125 = shufflevector <4 x i32> %123, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %126 = shufflevector <4 x i32> %124, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %127 = shufflevector <4 x i32> %125, <4 x i32> %126, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %128 = bitcast <4 x i32> %127 to <16 x i8>
  %129 = shufflevector <16 x i8> %128, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %129, ptr %2, align 16
  %130 = shufflevector <4 x i32> %125, <4 x i32> %126, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %131 = bitcast <4 x i32> %130 to <16 x i8>
  %132 = shufflevector <16 x i8> %131, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %132, ptr %38, align 16
  br label %133

133:                                              ; preds = %133, %119
  %134 = phi i1 [ true, %119 ], [ false, %133 ]
  %135 = phi i64 [ 0, %119 ], [ 1, %133 ]
  %136 = shl i64 %135, 4
  %137 = getelementptr inbounds i8, ptr %2, i64 %136
  %138 = load <2 x i64>, ptr %137, align 16
  %139 = bitcast <2 x i64> %138 to <8 x i16>
  %140 = lshr <8 x i16> %139, splat (i16 4)
  %141 = bitcast <8 x i16> %140 to <16 x i8>
  %142 = and <16 x i8> %141, splat (i8 15)
  %143 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %142)
  %144 = bitcast <2 x i64> %138 to <16 x i8>
  %145 = and <16 x i8> %144, splat (i8 15)
  %146 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %145)
  %147 = shl i64 %135, 5
  %148 = getelementptr inbounds i8, ptr %122, i64 %147
  %149 = shufflevector <16 x i8> %143, <16 x i8> %146, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  store <16 x i8> %149, ptr %148, align 1
  %150 = getelementptr inbounds i8, ptr %148, i64 16
  %151 = shufflevector <16 x i8> %143, <16 x i8> %146, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  store <16 x i8> %151, ptr %150, align 1
  br i1 %134, label %133, label %152

152:                                              ; preds = %133
  br label %177

153:                                              ; preds = %83
  %154 = shufflevector <4 x i32> %89, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %155 = shufflevector <4 x i32> %90, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %156 = shufflevector <4 x i32> %154, <4 x i32> %155, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %157 = bitcast <4 x i32> %156 to <16 x i8>
  %158 = shufflevector <16 x i8> %157, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %158, ptr %88, align 1
  %159 = getelementptr inbounds i8, ptr %88, i64 16
  %160 = shufflevector <4 x i32> %154, <4 x i32> %155, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %161 = bitcast <4 x i32> %160 to <16 x i8>
  %162 = shufflevector <16 x i8> %161, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %162, ptr %159, align 1
  %163 = load ptr, ptr %35, align 8
  %164 = shl i64 %45, %36
  %165 = getelementptr inbounds i8, ptr %163, i64 %164
  %166 = load <4 x i32>, ptr %10, align 16
  %167 = load <4 x i32>, ptr %33, align 16
  %168 = shufflevector <4 x i32> %166, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %169 = shufflevector <4 x i32> %167, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %170 = shufflevector <4 x i32> %168, <4 x i32> %169, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %171 = bitcast <4 x i32> %170 to <16 x i8>
  %172 = shufflevector <16 x i8> %171, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %172, ptr %165, align 1
  %173 = getelementptr inbounds i8, ptr %165, i64 16
  %174 = shufflevector <4 x i32> %168, <4 x i32> %169, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %175 = bitcast <4 x i32> %174 to <16 x i8>
  %176 = shufflevector <16 x i8> %175, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %176, ptr %173, align 1
  br label %177

177:                                              ; preds = %153, %152
  %178 = add i64 %42, 2
  %179 = load i64, ptr %24, align 8
  %180 = icmp slt i64 %178, %179
  br i1 %180, label %40, label %39
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias , ptr noalias , i64, i1 immarg)

define internal fastcc void @hash(ptr byval(%struct.state) align 16 %0, ptr %1, i64 %2, ptr initializes((0, 32)) %3, ptr %4, i64 %5, ptr initializes((0, 32)) %6, i64 %7) {
  %9 = alloca [64 x i8], align 16
  %10 = alloca [64 x i8], align 16
  %11 = alloca %struct.state, align 16
  %12 = alloca %struct.state, align 16
  %13 = add i64 %2, 72
  %14 = sdiv i64 %13, 64
  %15 = add i64 %5, 72
  %16 = sdiv i64 %15, 64
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %6, ptr align 16 %0, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %3, ptr align 16 %0, i64 32, i1 false)
  %17 = icmp sgt i64 %2, -9
  %18 = icmp sgt i64 %5, -9
  %19 = select i1 %17, i1 true, i1 %18
  br i1 %19, label %20, label %29

20:                                               ; preds = %8
  %21 = add i64 %7, %2
  %22 = shl i64 %21, 3
  %23 = call i64 @llvm.bswap.i64(i64 %22)
  %24 = getelementptr inbounds i8, ptr %9, i64 56
  %25 = add i64 %7, %5
  %26 = shl i64 %25, 3
  %27 = call i64 @llvm.bswap.i64(i64 %26)
  %28 = getelementptr inbounds i8, ptr %10, i64 56
  br label %30

29:                                               ; preds = %119, %8
  ret void

30:                                               ; preds = %20, %119
  %31 = phi i1 [ %18, %20 ], [ %122, %119 ]
  %32 = phi i1 [ %17, %20 ], [ %121, %119 ]
  %33 = phi i64 [ 0, %20 ], [ %120, %119 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %11, ptr align 16 %3, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %12, ptr align 16 %6, i64 32, i1 false)
  br i1 %32, label %34, label %73

34:                                               ; preds = %30
  %35 = shl i64 %33, 6
  %36 = sub i64 %2, %35
  %37 = icmp sgt i64 %36, 63
  br i1 %37, label %38, label %43

38:                                               ; preds = %34
  %39 = getelementptr inbounds i8, ptr %1, i64 %35
  br label %73

40:                                               ; preds = %43
  %41 = getelementptr inbounds i8, ptr %1, i64 %35
  %42 = icmp slt i64 %36, 8
  br i1 %42, label %49, label %52

43:                                               ; preds = %34, %43
  %44 = phi i64 [ %47, %43 ], [ 0, %34 ]
  %45 = shl i64 %44, 4
  %46 = getelementptr inbounds i8, ptr %9, i64 %45
  store <2 x i64> zeroinitializer, ptr %46, align 16
  %47 = add i64 %44, 1
  %48 = icmp eq i64 %47, 4
  br i1 %48, label %40, label %43

49:                                               ; preds = %52, %40
  %50 = phi i64 [ 0, %40 ], [ %53, %52 ]
  %51 = icmp slt i64 %50, %36
  br i1 %51, label %60, label %67

52:                                               ; preds = %40, %52
  %53 = phi i64 [ %58, %52 ], [ 8, %40 ]
  %54 = phi i64 [ %53, %52 ], [ 0, %40 ]
  %55 = getelementptr inbounds i8, ptr %9, i64 %54
  %56 = getelementptr inbounds i8, ptr %41, i64 %54
  %57 = load i64, ptr %56, align 1
  store i64 %57, ptr %55, align 8
  %58 = add i64 %53, 8
  %59 = icmp sgt i64 %58, %36
  br i1 %59, label %49, label %52

60:                                               ; preds = %49, %60
  %61 = phi i64 [ %65, %60 ], [ %50, %49 ]
  %62 = getelementptr inbounds i8, ptr %41, i64 %61
  %63 = load i8, ptr %62, align 1
  %64 = getelementptr inbounds i8, ptr %9, i64 %61
  store i8 %63, ptr %64, align 1
  %65 = add i64 %61, 1
  %66 = icmp slt i64 %65, %36
  br i1 %66, label %60, label %69

67:                                               ; preds = %49
  %68 = icmp sgt i64 %36, -1
  br i1 %68, label %69, label %72

69:                                               ; preds = %60, %67
  %70 = getelementptr inbounds i8, ptr %9, i64 %36
  store i8 -128, ptr %70, align 1
  %71 = icmp ult i64 %36, 56
  br i1 %71, label %72, label %73

72:                                               ; preds = %69, %67
  store i64 %23, ptr %24, align 8
  br label %73

73:                                               ; preds = %72, %69, %38, %30
  %74 = phi ptr [ %9, %30 ], [ %39, %38 ], [ %9, %72 ], [ %9, %69 ]
  br i1 %31, label %75, label %114

75:                                               ; preds = %73
  %76 = shl i64 %33, 6
  %77 = sub i64 %5, %76
  %78 = icmp sgt i64 %77, 63
  br i1 %78, label %79, label %84

79:                                               ; preds = %75
  %80 = getelementptr inbounds i8, ptr %4, i64 %76
  br label %114

81:                                               ; preds = %84
  %82 = getelementptr inbounds i8, ptr %4, i64 %76
  %83 = icmp slt i64 %77, 8
  br i1 %83, label %90, label %93

84:                                               ; preds = %75, %84
  %85 = phi i64 [ %88, %84 ], [ 0, %75 ]
  %86 = shl i64 %85, 4
  %87 = getelementptr inbounds i8, ptr %10, i64 %86
  store <2 x i64> zeroinitializer, ptr %87, align 16
  %88 = add i64 %85, 1
  %89 = icmp eq i64 %88, 4
  br i1 %89, label %81, label %84

90:                                               ; preds = %93, %81
  %91 = phi i64 [ 0, %81 ], [ %94, %93 ]
  %92 = icmp slt i64 %91, %77
  br i1 %92, label %101, label %108

93:                                               ; preds = %81, %93
  %94 = phi i64 [ %99, %93 ], [ 8, %81 ]
  %95 = phi i64 [ %94, %93 ], [ 0, %81 ]
  %96 = getelementptr inbounds i8, ptr %10, i64 %95
  %97 = getelementptr inbounds i8, ptr %82, i64 %95
  %98 = load i64, ptr %97, align 1
  store i64 %98, ptr %96, align 8
  %99 = add i64 %94, 8
  %100 = icmp sgt i64 %99, %77
  br i1 %100, label %90, label %93

101:                                              ; preds = %90, %101
  %102 = phi i64 [ %106, %101 ], [ %91, %90 ]
  %103 = getelementptr inbounds i8, ptr %82, i64 %102
  %104 = load i8, ptr %103, align 1
  %105 = getelementptr inbounds i8, ptr %10, i64 %102
  store i8 %104, ptr %105, align 1
  %106 = add i64 %102, 1
  %107 = icmp slt i64 %106, %77
  br i1 %107, label %101, label %110

108:                                              ; preds = %90
  %109 = icmp sgt i64 %77, -1
  br i1 %109, label %110, label %113

110:                                              ; preds = %101, %108
  %111 = getelementptr inbounds i8, ptr %10, i64 %77
  store i8 -128, ptr %111, align 1
  %112 = icmp ult i64 %77, 56
  br i1 %112, label %113, label %114

113:                                              ; preds = %110, %108
  store i64 %27, ptr %28, align 8
  br label %114

114:                                              ; preds = %113, %110, %79, %73
  %115 = phi ptr [ %10, %73 ], [ %80, %79 ], [ %10, %113 ], [ %10, %110 ]
  call fastcc void @compress(ptr %11, ptr %74, ptr %12, ptr %115)
  br i1 %32, label %116, label %117

116:                                              ; preds = %114
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %3, ptr align 16 %11, i64 32, i1 false)
  br label %117

117:                                              ; preds = %116, %114
  br i1 %31, label %118, label %119

118:                                              ; preds = %117
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %6, ptr align 16 %12, i64 32, i1 false)
  br label %119

119:                                              ; preds = %118, %117
  %120 = add i64 %33, 1
  %121 = icmp slt i64 %120, %14
  %122 = icmp slt i64 %120, %16
  %123 = select i1 %121, i1 true, i1 %122
  br i1 %123, label %30, label %29
}

define internal fastcc void @compress(ptr %0, ptr %1, ptr %2, ptr %3) {
  %5 = alloca [4 x <2 x i64>], align 16
  %6 = alloca [4 x <2 x i64>], align 16
  br label %7

7:                                                ; preds = %4, %7
  %8 = phi i64 [ 0, %4 ], [ %18, %7 ]
  %9 = shl i64 %8, 4
  %10 = getelementptr inbounds i8, ptr %1, i64 %9
  %11 = load <16 x i8>, ptr %10, align 1
  %12 = shufflevector <16 x i8> %11, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %13 = getelementptr inbounds <2 x i64>, ptr %5, i64 %8
  store <16 x i8> %12, ptr %13, align 16
  %14 = getelementptr inbounds i8, ptr %3, i64 %9
  %15 = load <16 x i8>, ptr %14, align 1
  %16 = shufflevector <16 x i8> %15, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %17 = getelementptr inbounds <2 x i64>, ptr %6, i64 %8
  store <16 x i8> %16, ptr %17, align 16
  %18 = add i64 %8, 1
  %19 = icmp eq i64 %18, 4
  br i1 %19, label %20, label %7

20:                                               ; preds = %7
  %21 = load <4 x i32>, ptr %0, align 16
  %22 = getelementptr inbounds i8, ptr %0, i64 16
  %23 = load <4 x i32>, ptr %22, align 16
  %24 = load <4 x i32>, ptr %2, align 16
  %25 = getelementptr inbounds i8, ptr %2, i64 16
  %26 = load <4 x i32>, ptr %25, align 16
  %27 = getelementptr inbounds i8, ptr %5, i64 16
  %28 = getelementptr inbounds i8, ptr %5, i64 32
  %29 = getelementptr inbounds i8, ptr %5, i64 48
  %30 = getelementptr inbounds i8, ptr %6, i64 16
  %31 = getelementptr inbounds i8, ptr %6, i64 32
  %32 = getelementptr inbounds i8, ptr %6, i64 48
  %33 = load <4 x i32>, ptr %27, align 16
  %34 = load <2 x i64>, ptr %28, align 16
  %35 = load <2 x i64>, ptr %29, align 16
  %36 = load <4 x i32>, ptr %30, align 16
  %37 = load <2 x i64>, ptr %31, align 16
  %38 = load <2 x i64>, ptr %32, align 16
  %39 = load <4 x i32>, ptr %5, align 16
  %40 = load <4 x i32>, ptr %6, align 16
  %41 = bitcast <2 x i64> %34 to <4 x i32>
  %42 = bitcast <2 x i64> %37 to <4 x i32>
  %43 = bitcast <2 x i64> %35 to <4 x i32>
  %44 = bitcast <2 x i64> %38 to <4 x i32>
  %45 = bitcast <2 x i64> %35 to <16 x i8>
  %46 = bitcast <2 x i64> %34 to <16 x i8>
  %47 = bitcast <2 x i64> %38 to <16 x i8>
  %48 = bitcast <2 x i64> %37 to <16 x i8>
  %49 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %39, <4 x i32> %33)
  %50 = shufflevector <16 x i8> %46, <16 x i8> %45, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %51 = bitcast <16 x i8> %50 to <4 x i32>
  %52 = add <4 x i32> %49, %51
  %53 = bitcast <2 x i64> %35 to <4 x i32>
  %54 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %52, <4 x i32> %53)
  %55 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %40, <4 x i32> %36)
  %56 = shufflevector <16 x i8> %48, <16 x i8> %47, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %57 = bitcast <16 x i8> %56 to <4 x i32>
  %58 = add <4 x i32> %55, %57
  %59 = bitcast <2 x i64> %38 to <4 x i32>
  %60 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %58, <4 x i32> %59)
  %61 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %33, <4 x i32> %41)
  %62 = bitcast <2 x i64> %35 to <4 x i32>
  %63 = shufflevector <4 x i32> %62, <4 x i32> %54, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %64 = add <4 x i32> %61, %63
  %65 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %64, <4 x i32> %54)
  %66 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %36, <4 x i32> %42)
  %67 = bitcast <2 x i64> %38 to <4 x i32>
  %68 = shufflevector <4 x i32> %67, <4 x i32> %60, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %69 = add <4 x i32> %66, %68
  %70 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %69, <4 x i32> %60)
  %71 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %41, <4 x i32> %43)
  %72 = shufflevector <4 x i32> %54, <4 x i32> %65, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %73 = add <4 x i32> %71, %72
  %74 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %73, <4 x i32> %65)
  %75 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %42, <4 x i32> %44)
  %76 = shufflevector <4 x i32> %60, <4 x i32> %70, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %77 = add <4 x i32> %75, %76
  %78 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %77, <4 x i32> %70)
  %79 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %43, <4 x i32> %54)
  %80 = shufflevector <4 x i32> %65, <4 x i32> %74, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %81 = add <4 x i32> %79, %80
  %82 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %81, <4 x i32> %74)
  %83 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %44, <4 x i32> %60)
  %84 = shufflevector <4 x i32> %70, <4 x i32> %78, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %85 = add <4 x i32> %83, %84
  %86 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %85, <4 x i32> %78)
  %87 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %54, <4 x i32> %65)
  %88 = shufflevector <4 x i32> %74, <4 x i32> %82, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %89 = add <4 x i32> %87, %88
  %90 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %89, <4 x i32> %82)
  %91 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %60, <4 x i32> %70)
  %92 = shufflevector <4 x i32> %78, <4 x i32> %86, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %93 = add <4 x i32> %91, %92
  %94 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %93, <4 x i32> %86)
  %95 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %65, <4 x i32> %74)
  %96 = shufflevector <4 x i32> %82, <4 x i32> %90, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %97 = add <4 x i32> %95, %96
  %98 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %97, <4 x i32> %90)
  %99 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %70, <4 x i32> %78)
  %100 = shufflevector <4 x i32> %86, <4 x i32> %94, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %101 = add <4 x i32> %99, %100
  %102 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %101, <4 x i32> %94)
  %103 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %74, <4 x i32> %82)
  %104 = shufflevector <4 x i32> %90, <4 x i32> %98, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %105 = add <4 x i32> %103, %104
  %106 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %105, <4 x i32> %98)
  %107 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %78, <4 x i32> %86)
  %108 = shufflevector <4 x i32> %94, <4 x i32> %102, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %109 = add <4 x i32> %107, %108
  %110 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %109, <4 x i32> %102)
  %111 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %82, <4 x i32> %90)
  %112 = shufflevector <4 x i32> %98, <4 x i32> %106, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %113 = add <4 x i32> %111, %112
  %114 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %113, <4 x i32> %106)
  %115 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %86, <4 x i32> %94)
  %116 = shufflevector <4 x i32> %102, <4 x i32> %110, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %117 = add <4 x i32> %115, %116
  %118 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %117, <4 x i32> %110)
  %119 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %90, <4 x i32> %98)
  %120 = shufflevector <4 x i32> %106, <4 x i32> %114, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %121 = add <4 x i32> %119, %120
  %122 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %121, <4 x i32> %114)
  %123 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %94, <4 x i32> %102)
  %124 = shufflevector <4 x i32> %110, <4 x i32> %118, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %125 = add <4 x i32> %123, %124
  %126 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %125, <4 x i32> %118)
  %127 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %98, <4 x i32> %106)
  %128 = shufflevector <4 x i32> %114, <4 x i32> %122, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %129 = add <4 x i32> %127, %128
  %130 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %129, <4 x i32> %122)
  %131 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %102, <4 x i32> %110)
  %132 = shufflevector <4 x i32> %118, <4 x i32> %126, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %133 = add <4 x i32> %131, %132
  %134 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %133, <4 x i32> %126)
  %135 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %106, <4 x i32> %114)
  %136 = shufflevector <4 x i32> %122, <4 x i32> %130, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %137 = add <4 x i32> %135, %136
  %138 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %137, <4 x i32> %130)
  %139 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %110, <4 x i32> %118)
  %140 = shufflevector <4 x i32> %126, <4 x i32> %134, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %141 = add <4 x i32> %139, %140
  %142 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %141, <4 x i32> %134)
  %143 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %114, <4 x i32> %122)
  %144 = shufflevector <4 x i32> %130, <4 x i32> %138, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %145 = add <4 x i32> %143, %144
  %146 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %145, <4 x i32> %138)
  %147 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %118, <4 x i32> %126)
  %148 = shufflevector <4 x i32> %134, <4 x i32> %142, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %149 = add <4 x i32> %147, %148
  %150 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %149, <4 x i32> %142)
  %151 = add <4 x i32> %39, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %152 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %23, <4 x i32> %21, <4 x i32> %151)
  %153 = shufflevector <4 x i32> %151, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %154 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %21, <4 x i32> %152, <4 x i32> %153)
  %155 = add <4 x i32> %33, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %156 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %152, <4 x i32> %154, <4 x i32> %155)
  %157 = shufflevector <4 x i32> %155, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %158 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %154, <4 x i32> %156, <4 x i32> %157)
  %159 = add <4 x i32> %41, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %160 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %156, <4 x i32> %158, <4 x i32> %159)
  %161 = shufflevector <4 x i32> %159, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %162 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %158, <4 x i32> %160, <4 x i32> %161)
  %163 = add <4 x i32> %43, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %164 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %160, <4 x i32> %162, <4 x i32> %163)
  %165 = shufflevector <4 x i32> %163, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %166 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %162, <4 x i32> %164, <4 x i32> %165)
  %167 = add <4 x i32> %54, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %168 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %164, <4 x i32> %166, <4 x i32> %167)
  %169 = shufflevector <4 x i32> %167, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %170 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %166, <4 x i32> %168, <4 x i32> %169)
  %171 = add <4 x i32> %65, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %172 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %168, <4 x i32> %170, <4 x i32> %171)
  %173 = shufflevector <4 x i32> %171, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %174 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %170, <4 x i32> %172, <4 x i32> %173)
  %175 = add <4 x i32> %74, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %176 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %172, <4 x i32> %174, <4 x i32> %175)
  %177 = shufflevector <4 x i32> %175, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %178 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %174, <4 x i32> %176, <4 x i32> %177)
  %179 = add <4 x i32> %82, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %180 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %176, <4 x i32> %178, <4 x i32> %179)
  %181 = shufflevector <4 x i32> %179, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %182 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %178, <4 x i32> %180, <4 x i32> %181)
  %183 = add <4 x i32> %90, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %184 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %180, <4 x i32> %182, <4 x i32> %183)
  %185 = shufflevector <4 x i32> %183, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %186 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %182, <4 x i32> %184, <4 x i32> %185)
  %187 = add <4 x i32> %98, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %188 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %184, <4 x i32> %186, <4 x i32> %187)
  %189 = shufflevector <4 x i32> %187, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %190 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %186, <4 x i32> %188, <4 x i32> %189)
  %191 = add <4 x i32> %106, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %192 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %188, <4 x i32> %190, <4 x i32> %191)
  %193 = shufflevector <4 x i32> %191, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %194 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %190, <4 x i32> %192, <4 x i32> %193)
  %195 = add <4 x i32> %114, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %196 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %192, <4 x i32> %194, <4 x i32> %195)
  %197 = shufflevector <4 x i32> %195, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %198 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %194, <4 x i32> %196, <4 x i32> %197)
  %199 = add <4 x i32> %122, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %200 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %196, <4 x i32> %198, <4 x i32> %199)
  %201 = shufflevector <4 x i32> %199, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %202 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %198, <4 x i32> %200, <4 x i32> %201)
  %203 = add <4 x i32> %130, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %204 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %200, <4 x i32> %202, <4 x i32> %203)
  %205 = shufflevector <4 x i32> %203, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %206 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %202, <4 x i32> %204, <4 x i32> %205)
  %207 = add <4 x i32> %138, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %208 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %204, <4 x i32> %206, <4 x i32> %207)
  %209 = shufflevector <4 x i32> %207, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %210 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %206, <4 x i32> %208, <4 x i32> %209)
  %211 = add <4 x i32> %146, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %212 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %208, <4 x i32> %210, <4 x i32> %211)
  %213 = shufflevector <4 x i32> %211, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %214 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %210, <4 x i32> %212, <4 x i32> %213)
  %215 = add <4 x i32> %40, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %216 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %26, <4 x i32> %24, <4 x i32> %215)
  %217 = shufflevector <4 x i32> %215, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %218 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %24, <4 x i32> %216, <4 x i32> %217)
  %219 = add <4 x i32> %36, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %220 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %216, <4 x i32> %218, <4 x i32> %219)
  %221 = shufflevector <4 x i32> %219, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %222 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %218, <4 x i32> %220, <4 x i32> %221)
  %223 = add <4 x i32> %42, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %224 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %220, <4 x i32> %222, <4 x i32> %223)
  %225 = shufflevector <4 x i32> %223, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %226 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %222, <4 x i32> %224, <4 x i32> %225)
  %227 = add <4 x i32> %44, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %228 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %224, <4 x i32> %226, <4 x i32> %227)
  %229 = shufflevector <4 x i32> %227, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %230 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %226, <4 x i32> %228, <4 x i32> %229)
  %231 = add <4 x i32> %60, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %232 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %228, <4 x i32> %230, <4 x i32> %231)
  %233 = shufflevector <4 x i32> %231, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %234 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %230, <4 x i32> %232, <4 x i32> %233)
  %235 = add <4 x i32> %70, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %236 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %232, <4 x i32> %234, <4 x i32> %235)
  %237 = shufflevector <4 x i32> %235, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %238 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %234, <4 x i32> %236, <4 x i32> %237)
  %239 = add <4 x i32> %78, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %240 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %236, <4 x i32> %238, <4 x i32> %239)
  %241 = shufflevector <4 x i32> %239, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %242 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %238, <4 x i32> %240, <4 x i32> %241)
  %243 = add <4 x i32> %86, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %244 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %240, <4 x i32> %242, <4 x i32> %243)
  %245 = shufflevector <4 x i32> %243, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %246 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %242, <4 x i32> %244, <4 x i32> %245)
  %247 = add <4 x i32> %94, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %248 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %244, <4 x i32> %246, <4 x i32> %247)
  %249 = shufflevector <4 x i32> %247, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %250 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %246, <4 x i32> %248, <4 x i32> %249)
  %251 = add <4 x i32> %102, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %252 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %248, <4 x i32> %250, <4 x i32> %251)
  %253 = shufflevector <4 x i32> %251, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %254 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %250, <4 x i32> %252, <4 x i32> %253)
  %255 = add <4 x i32> %110, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %256 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %252, <4 x i32> %254, <4 x i32> %255)
  %257 = shufflevector <4 x i32> %255, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %258 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %254, <4 x i32> %256, <4 x i32> %257)
  %259 = add <4 x i32> %118, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %260 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %256, <4 x i32> %258, <4 x i32> %259)
  %261 = shufflevector <4 x i32> %259, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %262 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %258, <4 x i32> %260, <4 x i32> %261)
  %263 = add <4 x i32> %126, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %264 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %260, <4 x i32> %262, <4 x i32> %263)
  %265 = shufflevector <4 x i32> %263, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %266 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %262, <4 x i32> %264, <4 x i32> %265)
  %267 = add <4 x i32> %134, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %268 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %264, <4 x i32> %266, <4 x i32> %267)
  %269 = shufflevector <4 x i32> %267, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %270 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %266, <4 x i32> %268, <4 x i32> %269)
  %271 = add <4 x i32> %142, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %272 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %268, <4 x i32> %270, <4 x i32> %271)
  %273 = shufflevector <4 x i32> %271, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %274 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %270, <4 x i32> %272, <4 x i32> %273)
  %275 = add <4 x i32> %150, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %276 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %272, <4 x i32> %274, <4 x i32> %275)
  %277 = shufflevector <4 x i32> %275, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %278 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %274, <4 x i32> %276, <4 x i32> %277)
  %279 = add <4 x i32> %214, %21
  %280 = add <4 x i32> %212, %23
  store <4 x i32> %279, ptr %0, align 16
  store <4 x i32> %280, ptr %22, align 16
  %281 = load <4 x i32>, ptr %2, align 16
  %282 = load <4 x i32>, ptr %25, align 16
  %283 = add <4 x i32> %281, %278
  %284 = add <4 x i32> %282, %276
  store <4 x i32> %283, ptr %2, align 16
  store <4 x i32> %284, ptr %25, align 16
  ret void
}

declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)

declare <4 x i32> @llvm.x86.sha256msg1(<4 x i32>, <4 x i32>)

declare <4 x i32> @llvm.x86.sha256msg2(<4 x i32>, <4 x i32>)

declare <4 x i32> @llvm.x86.sha256rnds2(<4 x i32>, <4 x i32>, <4 x i32>)

declare i64 @llvm.bswap.i64(i64)
