; Made of sha256_x86.c by `python -m native`; SHA-256 of that file and what it includes:
; 2a523e548ef85477ccfd7f14e7467ab1b1558ed2f38246796d213eb9973a2267

%struct.words = type { [4 x <2 x i64>] }
%struct.text = type { ptr, ptr, i64, ptr }

define void @hash_texts(ptr %0) {
  %2 = alloca [32 x i8], align 16
  %3 = alloca [32 x i8], align 16
  %4 = alloca %struct.words, align 16
  %5 = alloca %struct.words, align 16
  %6 = alloca %struct.words, align 16
  %7 = alloca %struct.words, align 16
  %8 = alloca %struct.words, align 16
  %9 = alloca %struct.words, align 16
  %10 = alloca [16 x [64 x i8]], align 16
  %11 = alloca [16 x %struct.text], align 16
  %12 = getelementptr inbounds i8, ptr %0, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %15, label %16

15:                                               ; preds = %1
  br label %292

16:                                               ; preds = %1
  br label %17

17:                                               ; preds = %17, %16
  %18 = phi i64 [ 0, %16 ], [ %24, %17 ]
  %19 = shl i64 %18, 4
  %20 = getelementptr inbounds i8, ptr %13, i64 %19
  %21 = load <16 x i8>, ptr %20, align 1
  %22 = shufflevector <16 x i8> %21, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %23 = getelementptr inbounds <2 x i64>, ptr %9, i64 %18
  store <16 x i8> %22, ptr %23, align 16
  %24 = add i64 %18, 1
  %25 = icmp eq i64 %24, 4
  br i1 %25, label %26, label %17

26:                                               ; preds = %17
  %27 = load <4 x i32>, ptr %9, align 16
  %28 = getelementptr inbounds i8, ptr %9, i64 16
  %29 = load <4 x i32>, ptr %28, align 16
  %30 = getelementptr inbounds i8, ptr %9, i64 32
  %31 = load <2 x i64>, ptr %30, align 16
  %32 = getelementptr inbounds i8, ptr %9, i64 48
  %33 = load <2 x i64>, ptr %32, align 16
  %34 = getelementptr inbounds i8, ptr %13, i64 64
  br label %35

35:                                               ; preds = %35, %26
  %36 = phi i64 [ 0, %26 ], [ %42, %35 ]
  %37 = shl i64 %36, 4
  %38 = getelementptr inbounds i8, ptr %34, i64 %37
  %39 = load <16 x i8>, ptr %38, align 1
  %40 = shufflevector <16 x i8> %39, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %41 = getelementptr inbounds <2 x i64>, ptr %8, i64 %36
  store <16 x i8> %40, ptr %41, align 16
  %42 = add i64 %36, 1
  %43 = icmp eq i64 %42, 4
  br i1 %43, label %44, label %35

44:                                               ; preds = %35
  %45 = bitcast <2 x i64> %31 to <4 x i32>
  %46 = bitcast <2 x i64> %33 to <4 x i32>
  %47 = bitcast <2 x i64> %33 to <16 x i8>
  %48 = bitcast <2 x i64> %31 to <16 x i8>
  %49 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %27, <4 x i32> %29)
  %50 = shufflevector <16 x i8> %48, <16 x i8> %47, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %51 = bitcast <16 x i8> %50 to <4 x i32>
  %52 = add <4 x i32> %49, %51
  %53 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %52, <4 x i32> %46)
  %54 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %29, <4 x i32> %45)
  %55 = bitcast <2 x i64> %33 to <4 x i32>
  %56 = shufflevector <4 x i32> %55, <4 x i32> %53, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %57 = add <4 x i32> %54, %56
  %58 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %57, <4 x i32> %53)
  %59 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %45, <4 x i32> %46)
  %60 = shufflevector <4 x i32> %53, <4 x i32> %58, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %61 = add <4 x i32> %59, %60
  %62 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %61, <4 x i32> %58)
  %63 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %46, <4 x i32> %53)
  %64 = shufflevector <4 x i32> %58, <4 x i32> %62, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %65 = add <4 x i32> %63, %64
  %66 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %65, <4 x i32> %62)
  %67 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %53, <4 x i32> %58)
  %68 = shufflevector <4 x i32> %62, <4 x i32> %66, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %69 = add <4 x i32> %67, %68
  %70 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %69, <4 x i32> %66)
  %71 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %58, <4 x i32> %62)
  %72 = shufflevector <4 x i32> %66, <4 x i32> %70, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %73 = add <4 x i32> %71, %72
  %74 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %73, <4 x i32> %70)
  %75 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %62, <4 x i32> %66)
  %76 = shufflevector <4 x i32> %70, <4 x i32> %74, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %77 = add <4 x i32> %75, %76
  %78 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %77, <4 x i32> %74)
  %79 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %66, <4 x i32> %70)
  %80 = shufflevector <4 x i32> %74, <4 x i32> %78, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %81 = add <4 x i32> %79, %80
  %82 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %81, <4 x i32> %78)
  %83 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %70, <4 x i32> %74)
  %84 = shufflevector <4 x i32> %78, <4 x i32> %82, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %85 = add <4 x i32> %83, %84
  %86 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %85, <4 x i32> %82)
  %87 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %74, <4 x i32> %78)
  %88 = shufflevector <4 x i32> %82, <4 x i32> %86, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %89 = add <4 x i32> %87, %88
  %90 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %89, <4 x i32> %86)
  %91 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %78, <4 x i32> %82)
  %92 = shufflevector <4 x i32> %86, <4 x i32> %90, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %93 = add <4 x i32> %91, %92
  %94 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %93, <4 x i32> %90)
  %95 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %82, <4 x i32> %86)
  %96 = shufflevector <4 x i32> %90, <4 x i32> %94, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %97 = add <4 x i32> %95, %96
  %98 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %97, <4 x i32> %94)
  %99 = add <4 x i32> %27, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %100 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>, <4 x i32> <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, <4 x i32> %99)
  %101 = shufflevector <4 x i32> %99, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %102 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, <4 x i32> %100, <4 x i32> %101)
  %103 = add <4 x i32> %29, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %104 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %100, <4 x i32> %102, <4 x i32> %103)
  %105 = shufflevector <4 x i32> %103, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %106 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %102, <4 x i32> %104, <4 x i32> %105)
  %107 = add <4 x i32> %45, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %108 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %104, <4 x i32> %106, <4 x i32> %107)
  %109 = shufflevector <4 x i32> %107, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %110 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %106, <4 x i32> %108, <4 x i32> %109)
  %111 = add <4 x i32> %46, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %112 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %108, <4 x i32> %110, <4 x i32> %111)
  %113 = shufflevector <4 x i32> %111, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %114 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %110, <4 x i32> %112, <4 x i32> %113)
  %115 = add <4 x i32> %53, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %116 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %112, <4 x i32> %114, <4 x i32> %115)
  %117 = shufflevector <4 x i32> %115, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %118 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %114, <4 x i32> %116, <4 x i32> %117)
  %119 = add <4 x i32> %58, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %120 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %116, <4 x i32> %118, <4 x i32> %119)
  %121 = shufflevector <4 x i32> %119, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %122 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %118, <4 x i32> %120, <4 x i32> %121)
  %123 = add <4 x i32> %62, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %124 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %120, <4 x i32> %122, <4 x i32> %123)
  %125 = shufflevector <4 x i32> %123, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %126 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %122, <4 x i32> %124, <4 x i32> %125)
  %127 = add <4 x i32> %66, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %128 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %124, <4 x i32> %126, <4 x i32> %127)
  %129 = shufflevector <4 x i32> %127, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %130 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %126, <4 x i32> %128, <4 x i32> %129)
  %131 = add <4 x i32> %70, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %132 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %128, <4 x i32> %130, <4 x i32> %131)
  %133 = shufflevector <4 x i32> %131, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %134 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %130, <4 x i32> %132, <4 x i32> %133)
  %135 = add <4 x i32> %74, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %136 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %132, <4 x i32> %134, <4 x i32> %135)
  %137 = shufflevector <4 x i32> %135, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %138 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %134, <4 x i32> %136, <4 x i32> %137)
  %139 = add <4 x i32> %78, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %140 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %136, <4 x i32> %138, <4 x i32> %139)
  %141 = shufflevector <4 x i32> %139, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %142 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %138, <4 x i32> %140, <4 x i32> %141)
  %143 = add <4 x i32> %82, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %144 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %140, <4 x i32> %142, <4 x i32> %143)
  %145 = shufflevector <4 x i32> %143, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %146 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %142, <4 x i32> %144, <4 x i32> %145)
  %147 = add <4 x i32> %86, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %148 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %144, <4 x i32> %146, <4 x i32> %147)
  %149 = shufflevector <4 x i32> %147, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %150 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %146, <4 x i32> %148, <4 x i32> %149)
  %151 = add <4 x i32> %90, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %152 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %148, <4 x i32> %150, <4 x i32> %151)
  %153 = shufflevector <4 x i32> %151, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %154 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %150, <4 x i32> %152, <4 x i32> %153)
  %155 = add <4 x i32> %94, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %156 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %152, <4 x i32> %154, <4 x i32> %155)
  %157 = shufflevector <4 x i32> %155, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %158 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %154, <4 x i32> %156, <4 x i32> %157)
  %159 = add <4 x i32> %98, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %160 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %156, <4 x i32> %158, <4 x i32> %159)
  %161 = shufflevector <4 x i32> %159, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %162 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %158, <4 x i32> %160, <4 x i32> %161)
  %163 = add <4 x i32> %162, <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>
  %164 = add <4 x i32> %160, <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>
  %165 = load <4 x i32>, ptr %8, align 16
  %166 = getelementptr inbounds i8, ptr %8, i64 16
  %167 = load <4 x i32>, ptr %166, align 16
  %168 = getelementptr inbounds i8, ptr %8, i64 32
  %169 = load <2 x i64>, ptr %168, align 16
  %170 = getelementptr inbounds i8, ptr %8, i64 48
  %171 = load <2 x i64>, ptr %170, align 16
  %172 = bitcast <2 x i64> %169 to <4 x i32>
  %173 = bitcast <2 x i64> %171 to <4 x i32>
  %174 = bitcast <2 x i64> %171 to <16 x i8>
  %175 = bitcast <2 x i64> %169 to <16 x i8>
  %176 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %165, <4 x i32> %167)
  %177 = shufflevector <16 x i8> %175, <16 x i8> %174, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %178 = bitcast <16 x i8> %177 to <4 x i32>
  %179 = add <4 x i32> %176, %178
  %180 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %179, <4 x i32> %173)
  %181 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %167, <4 x i32> %172)
  %182 = bitcast <2 x i64> %171 to <4 x i32>
  %183 = shufflevector <4 x i32> %182, <4 x i32> %180, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %184 = add <4 x i32> %181, %183
  %185 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %184, <4 x i32> %180)
  %186 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %172, <4 x i32> %173)
  %187 = shufflevector <4 x i32> %180, <4 x i32> %185, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %188 = add <4 x i32> %186, %187
  %189 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %188, <4 x i32> %185)
  %190 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %173, <4 x i32> %180)
  %191 = shufflevector <4 x i32> %185, <4 x i32> %189, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %192 = add <4 x i32> %190, %191
  %193 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %192, <4 x i32> %189)
  %194 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %180, <4 x i32> %185)
  %195 = shufflevector <4 x i32> %189, <4 x i32> %193, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %196 = add <4 x i32> %194, %195
  %197 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %196, <4 x i32> %193)
  %198 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %185, <4 x i32> %189)
  %199 = shufflevector <4 x i32> %193, <4 x i32> %197, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %200 = add <4 x i32> %198, %199
  %201 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %200, <4 x i32> %197)
  %202 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %189, <4 x i32> %193)
  %203 = shufflevector <4 x i32> %197, <4 x i32> %201, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %204 = add <4 x i32> %202, %203
  %205 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %204, <4 x i32> %201)
  %206 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %193, <4 x i32> %197)
  %207 = shufflevector <4 x i32> %201, <4 x i32> %205, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %208 = add <4 x i32> %206, %207
  %209 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %208, <4 x i32> %205)
  %210 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %197, <4 x i32> %201)
  %211 = shufflevector <4 x i32> %205, <4 x i32> %209, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %212 = add <4 x i32> %210, %211
  %213 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %212, <4 x i32> %209)
  %214 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %201, <4 x i32> %205)
  %215 = shufflevector <4 x i32> %209, <4 x i32> %213, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %216 = add <4 x i32> %214, %215
  %217 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %216, <4 x i32> %213)
  %218 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %205, <4 x i32> %209)
  %219 = shufflevector <4 x i32> %213, <4 x i32> %217, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %220 = add <4 x i32> %218, %219
  %221 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %220, <4 x i32> %217)
  %222 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %209, <4 x i32> %213)
  %223 = shufflevector <4 x i32> %217, <4 x i32> %221, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %224 = add <4 x i32> %222, %223
  %225 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %224, <4 x i32> %221)
  %226 = add <4 x i32> %165, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %227 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>, <4 x i32> <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, <4 x i32> %226)
  %228 = shufflevector <4 x i32> %226, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %229 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, <4 x i32> %227, <4 x i32> %228)
  %230 = add <4 x i32> %167, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %231 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %227, <4 x i32> %229, <4 x i32> %230)
  %232 = shufflevector <4 x i32> %230, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %233 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %229, <4 x i32> %231, <4 x i32> %232)
  %234 = add <4 x i32> %172, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %235 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %231, <4 x i32> %233, <4 x i32> %234)
  %236 = shufflevector <4 x i32> %234, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %237 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %233, <4 x i32> %235, <4 x i32> %236)
  %238 = add <4 x i32> %173, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %239 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %235, <4 x i32> %237, <4 x i32> %238)
  %240 = shufflevector <4 x i32> %238, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %241 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %237, <4 x i32> %239, <4 x i32> %240)
  %242 = add <4 x i32> %180, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %243 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %239, <4 x i32> %241, <4 x i32> %242)
  %244 = shufflevector <4 x i32> %242, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %245 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %241, <4 x i32> %243, <4 x i32> %244)
  %246 = add <4 x i32> %185, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %247 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %243, <4 x i32> %245, <4 x i32> %246)
  %248 = shufflevector <4 x i32> %246, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %249 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %245, <4 x i32> %247, <4 x i32> %248)
  %250 = add <4 x i32> %189, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %251 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %247, <4 x i32> %249, <4 x i32> %250)
  %252 = shufflevector <4 x i32> %250, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %253 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %249, <4 x i32> %251, <4 x i32> %252)
  %254 = add <4 x i32> %193, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %255 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %251, <4 x i32> %253, <4 x i32> %254)
  %256 = shufflevector <4 x i32> %254, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %257 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %253, <4 x i32> %255, <4 x i32> %256)
  %258 = add <4 x i32> %197, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %259 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %255, <4 x i32> %257, <4 x i32> %258)
  %260 = shufflevector <4 x i32> %258, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %261 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %257, <4 x i32> %259, <4 x i32> %260)
  %262 = add <4 x i32> %201, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %263 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %259, <4 x i32> %261, <4 x i32> %262)
  %264 = shufflevector <4 x i32> %262, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %265 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %261, <4 x i32> %263, <4 x i32> %264)
  %266 = add <4 x i32> %205, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %267 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %263, <4 x i32> %265, <4 x i32> %266)
  %268 = shufflevector <4 x i32> %266, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %269 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %265, <4 x i32> %267, <4 x i32> %268)
  %270 = add <4 x i32> %209, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %271 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %267, <4 x i32> %269, <4 x i32> %270)
  %272 = shufflevector <4 x i32> %270, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %273 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %269, <4 x i32> %271, <4 x i32> %272)
  %274 = add <4 x i32> %213, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %275 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %271, <4 x i32> %273, <4 x i32> %274)
  %276 = shufflevector <4 x i32> %274, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %277 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %273, <4 x i32> %275, <4 x i32> %276)
  %278 = add <4 x i32> %217, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %279 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %275, <4 x i32> %277, <4 x i32> %278)
  %280 = shufflevector <4 x i32> %278, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %281 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %277, <4 x i32> %279, <4 x i32> %280)
  %282 = add <4 x i32> %221, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %283 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %279, <4 x i32> %281, <4 x i32> %282)
  %284 = shufflevector <4 x i32> %282, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %285 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %281, <4 x i32> %283, <4 x i32> %284)
  %286 = add <4 x i32> %225, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %287 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %283, <4 x i32> %285, <4 x i32> %286)
  %288 = shufflevector <4 x i32> %286, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %289 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %285, <4 x i32> %287, <4 x i32> %288)
  %290 = add <4 x i32> %289, <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>
  %291 = add <4 x i32> %287, <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>
  br label %292

292:                                              ; preds = %15, %44
  %293 = phi i64 [ 0, %15 ], [ 64, %44 ]
  %294 = phi <4 x i32> [ <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>, %15 ], [ %164, %44 ]
  %295 = phi <4 x i32> [ <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, %15 ], [ %163, %44 ]
  %296 = phi <4 x i32> [ <i32 -1694144372, i32 1359893119, i32 -1150833019, i32 1779033703>, %15 ], [ %290, %44 ]
  %297 = phi <4 x i32> [ <i32 1541459225, i32 528734635, i32 -1521486534, i32 1013904242>, %15 ], [ %291, %44 ]
  %298 = getelementptr inbounds i8, ptr %0, i64 40
  %299 = getelementptr inbounds i8, ptr %0, i64 16
  %300 = load i64, ptr %299, align 8
  %301 = icmp sgt i64 %300, 0
  br i1 %301, label %302, label %322

302:                                              ; preds = %292
  %303 = load i64, ptr %298, align 8
  %304 = icmp eq i64 %303, 0
  %305 = getelementptr inbounds i8, ptr %0, i64 8
  %306 = getelementptr inbounds i8, ptr %0, i64 32
  %307 = select i1 %304, i64 5, i64 6
  %308 = getelementptr inbounds i8, ptr %5, i64 16
  %309 = getelementptr inbounds i8, ptr %5, i64 32
  %310 = getelementptr inbounds i8, ptr %5, i64 48
  %311 = getelementptr inbounds i8, ptr %4, i64 16
  %312 = getelementptr inbounds i8, ptr %4, i64 32
  %313 = getelementptr inbounds i8, ptr %4, i64 48
  %314 = getelementptr inbounds i8, ptr %7, i64 16
  %315 = getelementptr inbounds i8, ptr %7, i64 32
  %316 = getelementptr inbounds i8, ptr %7, i64 48
  %317 = getelementptr inbounds i8, ptr %6, i64 16
  %318 = getelementptr inbounds i8, ptr %6, i64 32
  %319 = getelementptr inbounds i8, ptr %6, i64 48
  %320 = getelementptr inbounds i8, ptr %3, i64 16
  %321 = getelementptr inbounds i8, ptr %2, i64 16
  br label %323

322:                                              ; preds = %408, %292
  ret void

323:                                              ; preds = %302, %408
  %324 = phi i64 [ %300, %302 ], [ %409, %408 ]
  %325 = phi i64 [ 0, %302 ], [ %410, %408 ]
  %326 = sub i64 %324, %325
  %327 = call i64 @llvm.smin.i64(i64 %326, i64 16)
  %328 = icmp eq i64 %324, %325
  br i1 %328, label %408, label %329

329:                                              ; preds = %323
  %330 = load ptr, ptr %305, align 8
  %331 = getelementptr inbounds i64, ptr %330, i64 %325
  %332 = load ptr, ptr %0, align 8
  br label %337

333:                                              ; preds = %402
  %334 = load ptr, ptr %306, align 8
  %335 = shl i64 %325, %307
  %336 = getelementptr inbounds i8, ptr %334, i64 %335
  br label %412

337:                                              ; preds = %329, %402
  %338 = phi i64 [ 0, %329 ], [ %404, %402 ]
  %339 = getelementptr inbounds i64, ptr %331, i64 %338
  %340 = getelementptr inbounds %struct.text, ptr %11, i64 %338
  %341 = load i64, ptr %339, align 8
  %342 = getelementptr inbounds i8, ptr %332, i64 %341
  %343 = getelementptr inbounds i8, ptr %339, i64 8
  %344 = load i64, ptr %343, align 8
  %345 = sub i64 %344, %341
  %346 = getelementptr inbounds [64 x i8], ptr %10, i64 %338
  store ptr %342, ptr %340, align 16
  %347 = getelementptr inbounds i8, ptr %340, i64 8
  %348 = getelementptr inbounds i8, ptr %340, i64 16
  store i64 %345, ptr %348, align 16
  %349 = getelementptr inbounds i8, ptr %340, i64 24
  store ptr %346, ptr %349, align 8
  %350 = icmp sgt i64 %345, 63
  br i1 %350, label %402, label %382

351:                                              ; preds = %382
  %352 = icmp sgt i64 %345, 15
  br i1 %352, label %353, label %361

353:                                              ; preds = %351, %353
  %354 = phi i64 [ %359, %353 ], [ 16, %351 ]
  %355 = phi i64 [ %354, %353 ], [ 0, %351 ]
  %356 = getelementptr inbounds i8, ptr %346, i64 %355
  %357 = getelementptr inbounds i8, ptr %342, i64 %355
  %358 = load <2 x i64>, ptr %357, align 1
  store <2 x i64> %358, ptr %356, align 16
  %359 = add i64 %354, 16
  %360 = icmp sgt i64 %359, %345
  br i1 %360, label %390, label %353

361:                                              ; preds = %351
  %362 = icmp sgt i64 %345, 7
  br i1 %362, label %365, label %363

363:                                              ; preds = %361
  %364 = icmp sgt i64 %345, 0
  br i1 %364, label %372, label %379

365:                                              ; preds = %361
  %366 = load i64, ptr %342, align 1
  store i64 %366, ptr %346, align 16
  %367 = getelementptr inbounds i8, ptr %346, i64 %345
  %368 = getelementptr inbounds i8, ptr %367, i64 -8
  %369 = getelementptr inbounds i8, ptr %332, i64 %344
  %370 = getelementptr inbounds i8, ptr %369, i64 -8
  %371 = load i64, ptr %370, align 1
  store i64 %371, ptr %368, align 1
  br label %388

372:                                              ; preds = %363, %372
  %373 = phi i64 [ %377, %372 ], [ 0, %363 ]
  %374 = getelementptr inbounds i8, ptr %342, i64 %373
  %375 = load i8, ptr %374, align 1
  %376 = getelementptr inbounds i8, ptr %346, i64 %373
  store i8 %375, ptr %376, align 1
  %377 = add i64 %373, 1
  %378 = icmp eq i64 %377, %345
  br i1 %378, label %388, label %372

379:                                              ; preds = %363
  %380 = icmp sgt i64 %345, -1
  br i1 %380, label %381, label %397

381:                                              ; preds = %379
  store i8 -128, ptr %346, align 16
  br label %397

382:                                              ; preds = %337, %382
  %383 = phi i64 [ %386, %382 ], [ 0, %337 ]
  %384 = shl i64 %383, 4
  %385 = getelementptr inbounds i8, ptr %346, i64 %384
  store <2 x i64> zeroinitializer, ptr %385, align 16
  %386 = add i64 %383, 1
  %387 = icmp eq i64 %386, 4
  br i1 %387, label %351, label %382

388:                                              ; preds = %372, %365
  %389 = getelementptr inbounds i8, ptr %346, i64 %345
  store i8 -128, ptr %389, align 1
  br label %397

390:                                              ; preds = %353
  %391 = getelementptr inbounds i8, ptr %346, i64 %345
  %392 = getelementptr inbounds i8, ptr %391, i64 -16
  %393 = getelementptr inbounds i8, ptr %332, i64 %344
  %394 = getelementptr inbounds i8, ptr %393, i64 -16
  %395 = load <2 x i64>, ptr %394, align 1
  store <2 x i64> %395, ptr %392, align 1
  store i8 -128, ptr %391, align 1
  %396 = icmp ult i64 %345, 56
  br i1 %396, label %397, label %402

397:                                              ; preds = %390, %388, %381, %379
  %398 = add i64 %345, %293
  %399 = shl i64 %398, 3
  %400 = call i64 @llvm.bswap.i64(i64 %399)
  %401 = getelementptr inbounds i8, ptr %346, i64 56
  store i64 %400, ptr %401, align 8
  br label %402

402:                                              ; preds = %390, %397, %337
  %403 = phi ptr [ %342, %337 ], [ %346, %397 ], [ %346, %390 ]
  store ptr %403, ptr %347, align 8
  %404 = add i64 %338, 1
  %405 = icmp slt i64 %404, %327
  br i1 %405, label %337, label %333

406:                                              ; preds = %1445
  %407 = load i64, ptr %299, align 8
  br label %408

408:                                              ; preds = %323, %406
  %409 = phi i64 [ %407, %406 ], [ %324, %323 ]
  %410 = add i64 %325, 16
  %411 = icmp slt i64 %410, %409
  br i1 %411, label %323, label %322

412:                                              ; preds = %333, %1445
  %413 = phi i64 [ %1446, %1445 ], [ 0, %333 ]
  %414 = or i64 %413, 1
  %415 = icmp slt i64 %414, %327
  %416 = zext i1 %415 to i64
  %417 = getelementptr inbounds %struct.text, ptr %11, i64 %413
  %418 = and i64 %413, 4294967294
  %419 = or i64 %418, %416
  %420 = getelementptr inbounds %struct.text, ptr %11, i64 %419
  %421 = getelementptr inbounds i8, ptr %417, i64 16
  %422 = load i64, ptr %421, align 16
  %423 = getelementptr inbounds i8, ptr %420, i64 16
  %424 = load i64, ptr %423, align 16
  %425 = getelementptr inbounds i8, ptr %417, i64 8
  %426 = load ptr, ptr %425, align 8
  br label %427

427:                                              ; preds = %427, %412
  %428 = phi i64 [ 0, %412 ], [ %434, %427 ]
  %429 = shl i64 %428, 4
  %430 = getelementptr inbounds i8, ptr %426, i64 %429
  %431 = load <16 x i8>, ptr %430, align 1
  %432 = shufflevector <16 x i8> %431, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %433 = getelementptr inbounds <2 x i64>, ptr %4, i64 %428
  store <16 x i8> %432, ptr %433, align 16
  %434 = add i64 %428, 1
  %435 = icmp eq i64 %434, 4
  br i1 %435, label %436, label %427

436:                                              ; preds = %427
  %437 = getelementptr inbounds i8, ptr %420, i64 8
  %438 = load ptr, ptr %437, align 8
  br label %439

439:                                              ; preds = %439, %436
  %440 = phi i64 [ 0, %436 ], [ %446, %439 ]
  %441 = shl i64 %440, 4
  %442 = getelementptr inbounds i8, ptr %438, i64 %441
  %443 = load <16 x i8>, ptr %442, align 1
  %444 = shufflevector <16 x i8> %443, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %445 = getelementptr inbounds <2 x i64>, ptr %5, i64 %440
  store <16 x i8> %444, ptr %445, align 16
  %446 = add i64 %440, 1
  %447 = icmp eq i64 %446, 4
  br i1 %447, label %448, label %439

448:                                              ; preds = %439
  %449 = add i64 %422, 72
  %450 = sdiv i64 %449, 64
  %451 = add i64 %424, 72
  %452 = sdiv i64 %451, 64
  %453 = load <4 x i32>, ptr %5, align 16
  %454 = load <4 x i32>, ptr %308, align 16
  %455 = load <2 x i64>, ptr %309, align 16
  %456 = load <2 x i64>, ptr %310, align 16
  %457 = load <4 x i32>, ptr %4, align 16
  %458 = load <4 x i32>, ptr %311, align 16
  %459 = load <2 x i64>, ptr %312, align 16
  %460 = load <2 x i64>, ptr %313, align 16
  %461 = bitcast <2 x i64> %459 to <4 x i32>
  %462 = bitcast <2 x i64> %455 to <4 x i32>
  %463 = bitcast <2 x i64> %460 to <4 x i32>
  %464 = bitcast <2 x i64> %456 to <4 x i32>
  %465 = bitcast <2 x i64> %460 to <16 x i8>
  %466 = bitcast <2 x i64> %459 to <16 x i8>
  %467 = bitcast <2 x i64> %456 to <16 x i8>
  %468 = bitcast <2 x i64> %455 to <16 x i8>
  %469 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %457, <4 x i32> %458)
  %470 = shufflevector <16 x i8> %466, <16 x i8> %465, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %471 = bitcast <16 x i8> %470 to <4 x i32>
  %472 = add <4 x i32> %469, %471
  %473 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %472, <4 x i32> %463)
  %474 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %453, <4 x i32> %454)
  %475 = shufflevector <16 x i8> %468, <16 x i8> %467, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %476 = bitcast <16 x i8> %475 to <4 x i32>
  %477 = add <4 x i32> %474, %476
  %478 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %477, <4 x i32> %464)
  %479 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %458, <4 x i32> %461)
  %480 = bitcast <2 x i64> %460 to <4 x i32>
  %481 = shufflevector <4 x i32> %480, <4 x i32> %473, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %482 = add <4 x i32> %479, %481
  %483 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %482, <4 x i32> %473)
  %484 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %454, <4 x i32> %462)
  %485 = bitcast <2 x i64> %456 to <4 x i32>
  %486 = shufflevector <4 x i32> %485, <4 x i32> %478, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %487 = add <4 x i32> %484, %486
  %488 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %487, <4 x i32> %478)
  %489 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %461, <4 x i32> %463)
  %490 = shufflevector <4 x i32> %473, <4 x i32> %483, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %491 = add <4 x i32> %489, %490
  %492 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %491, <4 x i32> %483)
  %493 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %462, <4 x i32> %464)
  %494 = shufflevector <4 x i32> %478, <4 x i32> %488, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %495 = add <4 x i32> %493, %494
  %496 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %495, <4 x i32> %488)
  %497 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %463, <4 x i32> %473)
  %498 = shufflevector <4 x i32> %483, <4 x i32> %492, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %499 = add <4 x i32> %497, %498
  %500 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %499, <4 x i32> %492)
  %501 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %464, <4 x i32> %478)
  %502 = shufflevector <4 x i32> %488, <4 x i32> %496, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %503 = add <4 x i32> %501, %502
  %504 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %503, <4 x i32> %496)
  %505 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %473, <4 x i32> %483)
  %506 = shufflevector <4 x i32> %492, <4 x i32> %500, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %507 = add <4 x i32> %505, %506
  %508 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %507, <4 x i32> %500)
  %509 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %478, <4 x i32> %488)
  %510 = shufflevector <4 x i32> %496, <4 x i32> %504, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %511 = add <4 x i32> %509, %510
  %512 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %511, <4 x i32> %504)
  %513 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %483, <4 x i32> %492)
  %514 = shufflevector <4 x i32> %500, <4 x i32> %508, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %515 = add <4 x i32> %513, %514
  %516 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %515, <4 x i32> %508)
  %517 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %488, <4 x i32> %496)
  %518 = shufflevector <4 x i32> %504, <4 x i32> %512, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %519 = add <4 x i32> %517, %518
  %520 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %519, <4 x i32> %512)
  %521 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %492, <4 x i32> %500)
  %522 = shufflevector <4 x i32> %508, <4 x i32> %516, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %523 = add <4 x i32> %521, %522
  %524 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %523, <4 x i32> %516)
  %525 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %496, <4 x i32> %504)
  %526 = shufflevector <4 x i32> %512, <4 x i32> %520, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %527 = add <4 x i32> %525, %526
  %528 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %527, <4 x i32> %520)
  %529 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %500, <4 x i32> %508)
  %530 = shufflevector <4 x i32> %516, <4 x i32> %524, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %531 = add <4 x i32> %529, %530
  %532 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %531, <4 x i32> %524)
  %533 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %504, <4 x i32> %512)
  %534 = shufflevector <4 x i32> %520, <4 x i32> %528, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %535 = add <4 x i32> %533, %534
  %536 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %535, <4 x i32> %528)
  %537 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %508, <4 x i32> %516)
  %538 = shufflevector <4 x i32> %524, <4 x i32> %532, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %539 = add <4 x i32> %537, %538
  %540 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %539, <4 x i32> %532)
  %541 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %512, <4 x i32> %520)
  %542 = shufflevector <4 x i32> %528, <4 x i32> %536, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %543 = add <4 x i32> %541, %542
  %544 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %543, <4 x i32> %536)
  %545 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %516, <4 x i32> %524)
  %546 = shufflevector <4 x i32> %532, <4 x i32> %540, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %547 = add <4 x i32> %545, %546
  %548 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %547, <4 x i32> %540)
  %549 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %520, <4 x i32> %528)
  %550 = shufflevector <4 x i32> %536, <4 x i32> %544, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %551 = add <4 x i32> %549, %550
  %552 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %551, <4 x i32> %544)
  %553 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %524, <4 x i32> %532)
  %554 = shufflevector <4 x i32> %540, <4 x i32> %548, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %555 = add <4 x i32> %553, %554
  %556 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %555, <4 x i32> %548)
  %557 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %528, <4 x i32> %536)
  %558 = shufflevector <4 x i32> %544, <4 x i32> %552, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %559 = add <4 x i32> %557, %558
  %560 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %559, <4 x i32> %552)
  %561 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %532, <4 x i32> %540)
  %562 = shufflevector <4 x i32> %548, <4 x i32> %556, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %563 = add <4 x i32> %561, %562
  %564 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %563, <4 x i32> %556)
  %565 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %536, <4 x i32> %544)
  %566 = shufflevector <4 x i32> %552, <4 x i32> %560, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %567 = add <4 x i32> %565, %566
  %568 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %567, <4 x i32> %560)
  %569 = add <4 x i32> %457, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %570 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %294, <4 x i32> %295, <4 x i32> %569)
  %571 = shufflevector <4 x i32> %569, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %572 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %295, <4 x i32> %570, <4 x i32> %571)
  %573 = add <4 x i32> %458, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %574 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %570, <4 x i32> %572, <4 x i32> %573)
  %575 = shufflevector <4 x i32> %573, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %576 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %572, <4 x i32> %574, <4 x i32> %575)
  %577 = add <4 x i32> %461, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %578 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %574, <4 x i32> %576, <4 x i32> %577)
  %579 = shufflevector <4 x i32> %577, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %580 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %576, <4 x i32> %578, <4 x i32> %579)
  %581 = add <4 x i32> %463, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %582 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %578, <4 x i32> %580, <4 x i32> %581)
  %583 = shufflevector <4 x i32> %581, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %584 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %580, <4 x i32> %582, <4 x i32> %583)
  %585 = add <4 x i32> %473, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %586 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %582, <4 x i32> %584, <4 x i32> %585)
  %587 = shufflevector <4 x i32> %585, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %588 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %584, <4 x i32> %586, <4 x i32> %587)
  %589 = add <4 x i32> %483, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %590 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %586, <4 x i32> %588, <4 x i32> %589)
  %591 = shufflevector <4 x i32> %589, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %592 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %588, <4 x i32> %590, <4 x i32> %591)
  %593 = add <4 x i32> %492, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %594 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %590, <4 x i32> %592, <4 x i32> %593)
  %595 = shufflevector <4 x i32> %593, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %596 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %592, <4 x i32> %594, <4 x i32> %595)
  %597 = add <4 x i32> %500, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %598 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %594, <4 x i32> %596, <4 x i32> %597)
  %599 = shufflevector <4 x i32> %597, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %600 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %596, <4 x i32> %598, <4 x i32> %599)
  %601 = add <4 x i32> %508, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %602 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %598, <4 x i32> %600, <4 x i32> %601)
  %603 = shufflevector <4 x i32> %601, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %604 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %600, <4 x i32> %602, <4 x i32> %603)
  %605 = add <4 x i32> %516, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %606 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %602, <4 x i32> %604, <4 x i32> %605)
  %607 = shufflevector <4 x i32> %605, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %608 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %604, <4 x i32> %606, <4 x i32> %607)
  %609 = add <4 x i32> %524, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %610 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %606, <4 x i32> %608, <4 x i32> %609)
  %611 = shufflevector <4 x i32> %609, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %612 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %608, <4 x i32> %610, <4 x i32> %611)
  %613 = add <4 x i32> %532, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %614 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %610, <4 x i32> %612, <4 x i32> %613)
  %615 = shufflevector <4 x i32> %613, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %616 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %612, <4 x i32> %614, <4 x i32> %615)
  %617 = add <4 x i32> %540, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %618 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %614, <4 x i32> %616, <4 x i32> %617)
  %619 = shufflevector <4 x i32> %617, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %620 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %616, <4 x i32> %618, <4 x i32> %619)
  %621 = add <4 x i32> %548, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %622 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %618, <4 x i32> %620, <4 x i32> %621)
  %623 = shufflevector <4 x i32> %621, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %624 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %620, <4 x i32> %622, <4 x i32> %623)
  %625 = add <4 x i32> %556, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %626 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %622, <4 x i32> %624, <4 x i32> %625)
  %627 = shufflevector <4 x i32> %625, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %628 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %624, <4 x i32> %626, <4 x i32> %627)
  %629 = add <4 x i32> %564, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %630 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %626, <4 x i32> %628, <4 x i32> %629)
  %631 = shufflevector <4 x i32> %629, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %632 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %628, <4 x i32> %630, <4 x i32> %631)
  %633 = add <4 x i32> %453, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %634 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %294, <4 x i32> %295, <4 x i32> %633)
  %635 = shufflevector <4 x i32> %633, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %636 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %295, <4 x i32> %634, <4 x i32> %635)
  %637 = add <4 x i32> %454, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %638 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %634, <4 x i32> %636, <4 x i32> %637)
  %639 = shufflevector <4 x i32> %637, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %640 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %636, <4 x i32> %638, <4 x i32> %639)
  %641 = add <4 x i32> %462, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %642 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %638, <4 x i32> %640, <4 x i32> %641)
  %643 = shufflevector <4 x i32> %641, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %644 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %640, <4 x i32> %642, <4 x i32> %643)
  %645 = add <4 x i32> %464, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %646 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %642, <4 x i32> %644, <4 x i32> %645)
  %647 = shufflevector <4 x i32> %645, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %648 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %644, <4 x i32> %646, <4 x i32> %647)
  %649 = add <4 x i32> %478, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %650 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %646, <4 x i32> %648, <4 x i32> %649)
  %651 = shufflevector <4 x i32> %649, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %652 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %648, <4 x i32> %650, <4 x i32> %651)
  %653 = add <4 x i32> %488, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %654 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %650, <4 x i32> %652, <4 x i32> %653)
  %655 = shufflevector <4 x i32> %653, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %656 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %652, <4 x i32> %654, <4 x i32> %655)
  %657 = add <4 x i32> %496, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %658 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %654, <4 x i32> %656, <4 x i32> %657)
  %659 = shufflevector <4 x i32> %657, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %660 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %656, <4 x i32> %658, <4 x i32> %659)
  %661 = add <4 x i32> %504, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %662 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %658, <4 x i32> %660, <4 x i32> %661)
  %663 = shufflevector <4 x i32> %661, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %664 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %660, <4 x i32> %662, <4 x i32> %663)
  %665 = add <4 x i32> %512, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %666 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %662, <4 x i32> %664, <4 x i32> %665)
  %667 = shufflevector <4 x i32> %665, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %668 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %664, <4 x i32> %666, <4 x i32> %667)
  %669 = add <4 x i32> %520, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %670 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %666, <4 x i32> %668, <4 x i32> %669)
  %671 = shufflevector <4 x i32> %669, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %672 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %668, <4 x i32> %670, <4 x i32> %671)
  %673 = add <4 x i32> %528, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %674 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %670, <4 x i32> %672, <4 x i32> %673)
  %675 = shufflevector <4 x i32> %673, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %676 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %672, <4 x i32> %674, <4 x i32> %675)
  %677 = add <4 x i32> %536, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %678 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %674, <4 x i32> %676, <4 x i32> %677)
  %679 = shufflevector <4 x i32> %677, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %680 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %676, <4 x i32> %678, <4 x i32> %679)
  %681 = add <4 x i32> %544, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %682 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %678, <4 x i32> %680, <4 x i32> %681)
  %683 = shufflevector <4 x i32> %681, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %684 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %680, <4 x i32> %682, <4 x i32> %683)
  %685 = add <4 x i32> %552, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %686 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %682, <4 x i32> %684, <4 x i32> %685)
  %687 = shufflevector <4 x i32> %685, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %688 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %684, <4 x i32> %686, <4 x i32> %687)
  %689 = add <4 x i32> %560, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %690 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %686, <4 x i32> %688, <4 x i32> %689)
  %691 = shufflevector <4 x i32> %689, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %692 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %688, <4 x i32> %690, <4 x i32> %691)
  %693 = add <4 x i32> %568, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %694 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %690, <4 x i32> %692, <4 x i32> %693)
  %695 = shufflevector <4 x i32> %693, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %696 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %692, <4 x i32> %694, <4 x i32> %695)
  %697 = add <4 x i32> %632, %295
  %698 = add <4 x i32> %630, %294
  %699 = add <4 x i32> %696, %295
  %700 = add <4 x i32> %694, %294
  %701 = icmp sgt i64 %422, 55
  %702 = icmp sgt i64 %424, 55
  %703 = select i1 %701, i1 true, i1 %702
  br i1 %703, label %704, label %1125

704:                                              ; preds = %448
  %705 = getelementptr inbounds i8, ptr %417, i64 24
  %706 = getelementptr inbounds i8, ptr %420, i64 24
  %707 = add i64 %422, %293
  %708 = shl i64 %707, 3
  %709 = call i64 @llvm.bswap.i64(i64 %708)
  %710 = add i64 %424, %293
  %711 = shl i64 %710, 3
  %712 = call i64 @llvm.bswap.i64(i64 %711)
  br label %713

713:                                              ; preds = %1114, %704
  %714 = phi <4 x i32> [ %698, %704 ], [ %1115, %1114 ]
  %715 = phi <4 x i32> [ %697, %704 ], [ %1116, %1114 ]
  %716 = phi <4 x i32> [ %700, %704 ], [ %1118, %1114 ]
  %717 = phi <4 x i32> [ %699, %704 ], [ %1120, %1114 ]
  %718 = phi i1 [ %702, %704 ], [ %1123, %1114 ]
  %719 = phi i1 [ %701, %704 ], [ %1122, %1114 ]
  %720 = phi i64 [ 1, %704 ], [ %1121, %1114 ]
  br i1 %719, label %721, label %780

721:                                              ; preds = %713
  %722 = shl i64 %720, 6
  %723 = sub i64 %422, %722
  %724 = icmp sgt i64 %723, 63
  br i1 %724, label %727, label %725

725:                                              ; preds = %721
  %726 = load ptr, ptr %705, align 8
  br label %763

727:                                              ; preds = %721
  %728 = load ptr, ptr %417, align 16
  %729 = getelementptr inbounds i8, ptr %728, i64 %722
  br label %782

730:                                              ; preds = %763
  %731 = load ptr, ptr %417, align 16
  %732 = getelementptr inbounds i8, ptr %731, i64 %722
  %733 = icmp sgt i64 %723, 15
  br i1 %733, label %734, label %742

734:                                              ; preds = %730, %734
  %735 = phi i64 [ %740, %734 ], [ 16, %730 ]
  %736 = phi i64 [ %735, %734 ], [ 0, %730 ]
  %737 = getelementptr inbounds i8, ptr %726, i64 %736
  %738 = getelementptr inbounds i8, ptr %732, i64 %736
  %739 = load <2 x i64>, ptr %738, align 1
  store <2 x i64> %739, ptr %737, align 1
  %740 = add i64 %735, 16
  %741 = icmp sgt i64 %740, %723
  br i1 %741, label %771, label %734

742:                                              ; preds = %730
  %743 = icmp sgt i64 %723, 7
  br i1 %743, label %746, label %744

744:                                              ; preds = %742
  %745 = icmp sgt i64 %723, 0
  br i1 %745, label %753, label %760

746:                                              ; preds = %742
  %747 = load i64, ptr %732, align 1
  store i64 %747, ptr %726, align 1
  %748 = getelementptr inbounds i8, ptr %726, i64 %723
  %749 = getelementptr inbounds i8, ptr %748, i64 -8
  %750 = getelementptr inbounds i8, ptr %731, i64 %422
  %751 = getelementptr inbounds i8, ptr %750, i64 -8
  %752 = load i64, ptr %751, align 1
  store i64 %752, ptr %749, align 1
  br label %769

753:                                              ; preds = %744, %753
  %754 = phi i64 [ %758, %753 ], [ 0, %744 ]
  %755 = getelementptr inbounds i8, ptr %732, i64 %754
  %756 = load i8, ptr %755, align 1
  %757 = getelementptr inbounds i8, ptr %726, i64 %754
  store i8 %756, ptr %757, align 1
  %758 = add i64 %754, 1
  %759 = icmp eq i64 %758, %723
  br i1 %759, label %769, label %753

760:                                              ; preds = %744
  %761 = icmp sgt i64 %723, -1
  br i1 %761, label %762, label %778

762:                                              ; preds = %760
  store i8 -128, ptr %726, align 1
  br label %778

763:                                              ; preds = %725, %763
  %764 = phi i64 [ %767, %763 ], [ 0, %725 ]
  %765 = shl i64 %764, 4
  %766 = getelementptr inbounds i8, ptr %726, i64 %765
  store <2 x i64> zeroinitializer, ptr %766, align 1
  %767 = add i64 %764, 1
  %768 = icmp eq i64 %767, 4
  br i1 %768, label %730, label %763

769:                                              ; preds = %753, %746
  %770 = getelementptr inbounds i8, ptr %726, i64 %723
  store i8 -128, ptr %770, align 1
  br label %778

771:                                              ; preds = %734
  %772 = getelementptr inbounds i8, ptr %726, i64 %723
  %773 = getelementptr inbounds i8, ptr %772, i64 -16
  %774 = getelementptr inbounds i8, ptr %731, i64 %422
  %775 = getelementptr inbounds i8, ptr %774, i64 -16
  %776 = load <2 x i64>, ptr %775, align 1
  store <2 x i64> %776, ptr %773, align 1
  store i8 -128, ptr %772, align 1
  %777 = icmp ult i64 %723, 56
  br i1 %777, label %778, label %782

778:                                              ; preds = %771, %769, %762, %760
  %779 = getelementptr inbounds i8, ptr %726, i64 56
  store i64 %709, ptr %779, align 1
  br label %782

780:                                              ; preds = %713
  %781 = load ptr, ptr %705, align 8
  br label %782

782:                                              ; preds = %771, %778, %780, %727
  %783 = phi ptr [ %781, %780 ], [ %729, %727 ], [ %726, %778 ], [ %726, %771 ]
  br i1 %718, label %784, label %843

784:                                              ; preds = %782
  %785 = shl i64 %720, 6
  %786 = sub i64 %424, %785
  %787 = icmp sgt i64 %786, 63
  br i1 %787, label %790, label %788

788:                                              ; preds = %784
  %789 = load ptr, ptr %706, align 8
  br label %826

790:                                              ; preds = %784
  %791 = load ptr, ptr %420, align 16
  %792 = getelementptr inbounds i8, ptr %791, i64 %785
  br label %845

793:                                              ; preds = %826
  %794 = load ptr, ptr %420, align 16
  %795 = getelementptr inbounds i8, ptr %794, i64 %785
  %796 = icmp sgt i64 %786, 15
  br i1 %796, label %797, label %805

797:                                              ; preds = %793, %797
  %798 = phi i64 [ %803, %797 ], [ 16, %793 ]
  %799 = phi i64 [ %798, %797 ], [ 0, %793 ]
  %800 = getelementptr inbounds i8, ptr %789, i64 %799
  %801 = getelementptr inbounds i8, ptr %795, i64 %799
  %802 = load <2 x i64>, ptr %801, align 1
  store <2 x i64> %802, ptr %800, align 1
  %803 = add i64 %798, 16
  %804 = icmp sgt i64 %803, %786
  br i1 %804, label %834, label %797

805:                                              ; preds = %793
  %806 = icmp sgt i64 %786, 7
  br i1 %806, label %809, label %807

807:                                              ; preds = %805
  %808 = icmp sgt i64 %786, 0
  br i1 %808, label %816, label %823

809:                                              ; preds = %805
  %810 = load i64, ptr %795, align 1
  store i64 %810, ptr %789, align 1
  %811 = getelementptr inbounds i8, ptr %789, i64 %786
  %812 = getelementptr inbounds i8, ptr %811, i64 -8
  %813 = getelementptr inbounds i8, ptr %794, i64 %424
  %814 = getelementptr inbounds i8, ptr %813, i64 -8
  %815 = load i64, ptr %814, align 1
  store i64 %815, ptr %812, align 1
  br label %832

816:                                              ; preds = %807, %816
  %817 = phi i64 [ %821, %816 ], [ 0, %807 ]
  %818 = getelementptr inbounds i8, ptr %795, i64 %817
  %819 = load i8, ptr %818, align 1
  %820 = getelementptr inbounds i8, ptr %789, i64 %817
  store i8 %819, ptr %820, align 1
  %821 = add i64 %817, 1
  %822 = icmp eq i64 %821, %786
  br i1 %822, label %832, label %816

823:                                              ; preds = %807
  %824 = icmp sgt i64 %786, -1
  br i1 %824, label %825, label %841

825:                                              ; preds = %823
  store i8 -128, ptr %789, align 1
  br label %841

826:                                              ; preds = %788, %826
  %827 = phi i64 [ %830, %826 ], [ 0, %788 ]
  %828 = shl i64 %827, 4
  %829 = getelementptr inbounds i8, ptr %789, i64 %828
  store <2 x i64> zeroinitializer, ptr %829, align 1
  %830 = add i64 %827, 1
  %831 = icmp eq i64 %830, 4
  br i1 %831, label %793, label %826

832:                                              ; preds = %816, %809
  %833 = getelementptr inbounds i8, ptr %789, i64 %786
  store i8 -128, ptr %833, align 1
  br label %841

834:                                              ; preds = %797
  %835 = getelementptr inbounds i8, ptr %789, i64 %786
  %836 = getelementptr inbounds i8, ptr %835, i64 -16
  %837 = getelementptr inbounds i8, ptr %794, i64 %424
  %838 = getelementptr inbounds i8, ptr %837, i64 -16
  %839 = load <2 x i64>, ptr %838, align 1
  store <2 x i64> %839, ptr %836, align 1
  store i8 -128, ptr %835, align 1
  %840 = icmp ult i64 %786, 56
  br i1 %840, label %841, label %845

841:                                              ; preds = %834, %832, %825, %823
  %842 = getelementptr inbounds i8, ptr %789, i64 56
  store i64 %712, ptr %842, align 1
  br label %845

843:                                              ; preds = %782
  %844 = load ptr, ptr %706, align 8
  br label %845

845:                                              ; preds = %834, %841, %843, %790
  %846 = phi ptr [ %844, %843 ], [ %792, %790 ], [ %789, %841 ], [ %789, %834 ]
  br label %847

847:                                              ; preds = %847, %845
  %848 = phi i64 [ 0, %845 ], [ %854, %847 ]
  %849 = shl i64 %848, 4
  %850 = getelementptr inbounds i8, ptr %783, i64 %849
  %851 = load <16 x i8>, ptr %850, align 1
  %852 = shufflevector <16 x i8> %851, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %853 = getelementptr inbounds <2 x i64>, ptr %6, i64 %848
  store <16 x i8> %852, ptr %853, align 16
  %854 = add i64 %848, 1
  %855 = icmp eq i64 %854, 4
  br i1 %855, label %856, label %847

856:                                              ; preds = %847
  br label %857

857:                                              ; preds = %857, %856
  %858 = phi i64 [ 0, %856 ], [ %864, %857 ]
  %859 = shl i64 %858, 4
  %860 = getelementptr inbounds i8, ptr %846, i64 %859
  %861 = load <16 x i8>, ptr %860, align 1
  %862 = shufflevector <16 x i8> %861, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  %863 = getelementptr inbounds <2 x i64>, ptr %7, i64 %858
  store <16 x i8> %862, ptr %863, align 16
  %864 = add i64 %858, 1
  %865 = icmp eq i64 %864, 4
  br i1 %865, label %866, label %857

866:                                              ; preds = %857
  %867 = load <4 x i32>, ptr %7, align 16
  %868 = load <4 x i32>, ptr %314, align 16
  %869 = load <2 x i64>, ptr %315, align 16
  %870 = load <2 x i64>, ptr %316, align 16
  %871 = bitcast <2 x i64> %869 to <4 x i32>
  %872 = bitcast <2 x i64> %870 to <4 x i32>
  %873 = bitcast <2 x i64> %870 to <16 x i8>
  %874 = bitcast <2 x i64> %869 to <16 x i8>
  %875 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %867, <4 x i32> %868)
  %876 = shufflevector <16 x i8> %874, <16 x i8> %873, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %877 = bitcast <16 x i8> %876 to <4 x i32>
  %878 = add <4 x i32> %875, %877
  %879 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %878, <4 x i32> %872)
  %880 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %868, <4 x i32> %871)
  %881 = bitcast <2 x i64> %870 to <4 x i32>
  %882 = shufflevector <4 x i32> %881, <4 x i32> %879, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %883 = add <4 x i32> %880, %882
  %884 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %883, <4 x i32> %879)
  %885 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %871, <4 x i32> %872)
  %886 = shufflevector <4 x i32> %879, <4 x i32> %884, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %887 = add <4 x i32> %885, %886
  %888 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %887, <4 x i32> %884)
  %889 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %872, <4 x i32> %879)
  %890 = shufflevector <4 x i32> %884, <4 x i32> %888, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %891 = add <4 x i32> %889, %890
  %892 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %891, <4 x i32> %888)
  %893 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %879, <4 x i32> %884)
  %894 = shufflevector <4 x i32> %888, <4 x i32> %892, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %895 = add <4 x i32> %893, %894
  %896 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %895, <4 x i32> %892)
  %897 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %884, <4 x i32> %888)
  %898 = shufflevector <4 x i32> %892, <4 x i32> %896, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %899 = add <4 x i32> %897, %898
  %900 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %899, <4 x i32> %896)
  %901 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %888, <4 x i32> %892)
  %902 = shufflevector <4 x i32> %896, <4 x i32> %900, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %903 = add <4 x i32> %901, %902
  %904 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %903, <4 x i32> %900)
  %905 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %892, <4 x i32> %896)
  %906 = shufflevector <4 x i32> %900, <4 x i32> %904, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %907 = add <4 x i32> %905, %906
  %908 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %907, <4 x i32> %904)
  %909 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %896, <4 x i32> %900)
  %910 = shufflevector <4 x i32> %904, <4 x i32> %908, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %911 = add <4 x i32> %909, %910
  %912 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %911, <4 x i32> %908)
  %913 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %900, <4 x i32> %904)
  %914 = shufflevector <4 x i32> %908, <4 x i32> %912, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %915 = add <4 x i32> %913, %914
  %916 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %915, <4 x i32> %912)
  %917 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %904, <4 x i32> %908)
  %918 = shufflevector <4 x i32> %912, <4 x i32> %916, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %919 = add <4 x i32> %917, %918
  %920 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %919, <4 x i32> %916)
  %921 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %908, <4 x i32> %912)
  %922 = shufflevector <4 x i32> %916, <4 x i32> %920, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %923 = add <4 x i32> %921, %922
  %924 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %923, <4 x i32> %920)
  %925 = add <4 x i32> %867, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %926 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %716, <4 x i32> %717, <4 x i32> %925)
  %927 = shufflevector <4 x i32> %925, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %928 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %717, <4 x i32> %926, <4 x i32> %927)
  %929 = add <4 x i32> %868, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %930 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %926, <4 x i32> %928, <4 x i32> %929)
  %931 = shufflevector <4 x i32> %929, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %932 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %928, <4 x i32> %930, <4 x i32> %931)
  %933 = add <4 x i32> %871, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %934 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %930, <4 x i32> %932, <4 x i32> %933)
  %935 = shufflevector <4 x i32> %933, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %936 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %932, <4 x i32> %934, <4 x i32> %935)
  %937 = add <4 x i32> %872, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %938 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %934, <4 x i32> %936, <4 x i32> %937)
  %939 = shufflevector <4 x i32> %937, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %940 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %936, <4 x i32> %938, <4 x i32> %939)
  %941 = add <4 x i32> %879, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %942 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %938, <4 x i32> %940, <4 x i32> %941)
  %943 = shufflevector <4 x i32> %941, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %944 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %940, <4 x i32> %942, <4 x i32> %943)
  %945 = add <4 x i32> %884, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %946 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %942, <4 x i32> %944, <4 x i32> %945)
  %947 = shufflevector <4 x i32> %945, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %948 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %944, <4 x i32> %946, <4 x i32> %947)
  %949 = add <4 x i32> %888, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %950 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %946, <4 x i32> %948, <4 x i32> %949)
  %951 = shufflevector <4 x i32> %949, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %952 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %948, <4 x i32> %950, <4 x i32> %951)
  %953 = add <4 x i32> %892, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %954 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %950, <4 x i32> %952, <4 x i32> %953)
  %955 = shufflevector <4 x i32> %953, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %956 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %952, <4 x i32> %954, <4 x i32> %955)
  %957 = add <4 x i32> %896, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %958 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %954, <4 x i32> %956, <4 x i32> %957)
  %959 = shufflevector <4 x i32> %957, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %960 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %956, <4 x i32> %958, <4 x i32> %959)
  %961 = add <4 x i32> %900, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %962 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %958, <4 x i32> %960, <4 x i32> %961)
  %963 = shufflevector <4 x i32> %961, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %964 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %960, <4 x i32> %962, <4 x i32> %963)
  %965 = add <4 x i32> %904, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %966 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %962, <4 x i32> %964, <4 x i32> %965)
  %967 = shufflevector <4 x i32> %965, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %968 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %964, <4 x i32> %966, <4 x i32> %967)
  %969 = add <4 x i32> %908, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %970 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %966, <4 x i32> %968, <4 x i32> %969)
  %971 = shufflevector <4 x i32> %969, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %972 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %968, <4 x i32> %970, <4 x i32> %971)
  %973 = add <4 x i32> %912, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %974 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %970, <4 x i32> %972, <4 x i32> %973)
  %975 = shufflevector <4 x i32> %973, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %976 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %972, <4 x i32> %974, <4 x i32> %975)
  %977 = add <4 x i32> %916, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %978 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %974, <4 x i32> %976, <4 x i32> %977)
  %979 = shufflevector <4 x i32> %977, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %980 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %976, <4 x i32> %978, <4 x i32> %979)
  %981 = add <4 x i32> %920, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %982 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %978, <4 x i32> %980, <4 x i32> %981)
  %983 = shufflevector <4 x i32> %981, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %984 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %980, <4 x i32> %982, <4 x i32> %983)
  %985 = add <4 x i32> %924, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %986 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %982, <4 x i32> %984, <4 x i32> %985)
  %987 = shufflevector <4 x i32> %985, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %988 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %984, <4 x i32> %986, <4 x i32> %987)
  br i1 %719, label %989, label %1114

989:                                              ; preds = %866
  %990 = load <4 x i32>, ptr %6, align 16
  %991 = add <4 x i32> %990, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %992 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %714, <4 x i32> %715, <4 x i32> %991)
  %993 = shufflevector <4 x i32> %991, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %994 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %715, <4 x i32> %992, <4 x i32> %993)
  %995 = load <4 x i32>, ptr %317, align 16
  %996 = add <4 x i32> %995, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %997 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %992, <4 x i32> %994, <4 x i32> %996)
  %998 = shufflevector <4 x i32> %996, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %999 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %994, <4 x i32> %997, <4 x i32> %998)
  %1000 = load <2 x i64>, ptr %318, align 16
  %1001 = bitcast <2 x i64> %1000 to <4 x i32>
  %1002 = add <4 x i32> %1001, <i32 -670586216, i32 310598401, i32 607225278, i32 1426881987>
  %1003 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %997, <4 x i32> %999, <4 x i32> %1002)
  %1004 = shufflevector <4 x i32> %1002, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1005 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %999, <4 x i32> %1003, <4 x i32> %1004)
  %1006 = load <2 x i64>, ptr %319, align 16
  %1007 = bitcast <2 x i64> %1006 to <4 x i32>
  %1008 = add <4 x i32> %1007, <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716>
  %1009 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1003, <4 x i32> %1005, <4 x i32> %1008)
  %1010 = shufflevector <4 x i32> %1008, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1011 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1005, <4 x i32> %1009, <4 x i32> %1010)
  %1012 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %990, <4 x i32> %995)
  %1013 = bitcast <2 x i64> %1000 to <16 x i8>
  %1014 = bitcast <2 x i64> %1006 to <16 x i8>
  %1015 = shufflevector <16 x i8> %1013, <16 x i8> %1014, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %1016 = bitcast <16 x i8> %1015 to <4 x i32>
  %1017 = add <4 x i32> %1012, %1016
  %1018 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1017, <4 x i32> %1007)
  %1019 = add <4 x i32> %1018, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %1020 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1009, <4 x i32> %1011, <4 x i32> %1019)
  %1021 = shufflevector <4 x i32> %1019, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1022 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1011, <4 x i32> %1020, <4 x i32> %1021)
  %1023 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %995, <4 x i32> %1001)
  %1024 = bitcast <2 x i64> %1006 to <4 x i32>
  %1025 = shufflevector <4 x i32> %1024, <4 x i32> %1018, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1026 = add <4 x i32> %1023, %1025
  %1027 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1026, <4 x i32> %1018)
  %1028 = add <4 x i32> %1027, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %1029 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1020, <4 x i32> %1022, <4 x i32> %1028)
  %1030 = shufflevector <4 x i32> %1028, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1031 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1022, <4 x i32> %1029, <4 x i32> %1030)
  %1032 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1001, <4 x i32> %1007)
  %1033 = shufflevector <4 x i32> %1018, <4 x i32> %1027, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1034 = add <4 x i32> %1032, %1033
  %1035 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1034, <4 x i32> %1027)
  %1036 = add <4 x i32> %1035, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %1037 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1029, <4 x i32> %1031, <4 x i32> %1036)
  %1038 = shufflevector <4 x i32> %1036, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1039 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1031, <4 x i32> %1037, <4 x i32> %1038)
  %1040 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1007, <4 x i32> %1018)
  %1041 = shufflevector <4 x i32> %1027, <4 x i32> %1035, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1042 = add <4 x i32> %1040, %1041
  %1043 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1042, <4 x i32> %1035)
  %1044 = add <4 x i32> %1043, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %1045 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1037, <4 x i32> %1039, <4 x i32> %1044)
  %1046 = shufflevector <4 x i32> %1044, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1047 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1039, <4 x i32> %1045, <4 x i32> %1046)
  %1048 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1018, <4 x i32> %1027)
  %1049 = shufflevector <4 x i32> %1035, <4 x i32> %1043, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1050 = add <4 x i32> %1048, %1049
  %1051 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1050, <4 x i32> %1043)
  %1052 = add <4 x i32> %1051, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %1053 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1045, <4 x i32> %1047, <4 x i32> %1052)
  %1054 = shufflevector <4 x i32> %1052, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1055 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1047, <4 x i32> %1053, <4 x i32> %1054)
  %1056 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1027, <4 x i32> %1035)
  %1057 = shufflevector <4 x i32> %1043, <4 x i32> %1051, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1058 = add <4 x i32> %1056, %1057
  %1059 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1058, <4 x i32> %1051)
  %1060 = add <4 x i32> %1059, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %1061 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1053, <4 x i32> %1055, <4 x i32> %1060)
  %1062 = shufflevector <4 x i32> %1060, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1063 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1055, <4 x i32> %1061, <4 x i32> %1062)
  %1064 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1035, <4 x i32> %1043)
  %1065 = shufflevector <4 x i32> %1051, <4 x i32> %1059, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1066 = add <4 x i32> %1064, %1065
  %1067 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1066, <4 x i32> %1059)
  %1068 = add <4 x i32> %1067, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %1069 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1061, <4 x i32> %1063, <4 x i32> %1068)
  %1070 = shufflevector <4 x i32> %1068, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1071 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1063, <4 x i32> %1069, <4 x i32> %1070)
  %1072 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1043, <4 x i32> %1051)
  %1073 = shufflevector <4 x i32> %1059, <4 x i32> %1067, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1074 = add <4 x i32> %1072, %1073
  %1075 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1074, <4 x i32> %1067)
  %1076 = add <4 x i32> %1075, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %1077 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1069, <4 x i32> %1071, <4 x i32> %1076)
  %1078 = shufflevector <4 x i32> %1076, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1079 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1071, <4 x i32> %1077, <4 x i32> %1078)
  %1080 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1051, <4 x i32> %1059)
  %1081 = shufflevector <4 x i32> %1067, <4 x i32> %1075, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1082 = add <4 x i32> %1080, %1081
  %1083 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1082, <4 x i32> %1075)
  %1084 = add <4 x i32> %1083, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %1085 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1077, <4 x i32> %1079, <4 x i32> %1084)
  %1086 = shufflevector <4 x i32> %1084, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1087 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1079, <4 x i32> %1085, <4 x i32> %1086)
  %1088 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1059, <4 x i32> %1067)
  %1089 = shufflevector <4 x i32> %1075, <4 x i32> %1083, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1090 = add <4 x i32> %1088, %1089
  %1091 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1090, <4 x i32> %1083)
  %1092 = add <4 x i32> %1091, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %1093 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1085, <4 x i32> %1087, <4 x i32> %1092)
  %1094 = shufflevector <4 x i32> %1092, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1095 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1087, <4 x i32> %1093, <4 x i32> %1094)
  %1096 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1067, <4 x i32> %1075)
  %1097 = shufflevector <4 x i32> %1083, <4 x i32> %1091, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1098 = add <4 x i32> %1096, %1097
  %1099 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1098, <4 x i32> %1091)
  %1100 = add <4 x i32> %1099, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %1101 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1093, <4 x i32> %1095, <4 x i32> %1100)
  %1102 = shufflevector <4 x i32> %1100, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1103 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1095, <4 x i32> %1101, <4 x i32> %1102)
  %1104 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1075, <4 x i32> %1083)
  %1105 = shufflevector <4 x i32> %1091, <4 x i32> %1099, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1106 = add <4 x i32> %1104, %1105
  %1107 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1106, <4 x i32> %1099)
  %1108 = add <4 x i32> %1107, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %1109 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1101, <4 x i32> %1103, <4 x i32> %1108)
  %1110 = add <4 x i32> %1109, %714
  %1111 = shufflevector <4 x i32> %1108, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1112 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1103, <4 x i32> %1109, <4 x i32> %1111)
  %1113 = add <4 x i32> %1112, %715
  br label %1114

1114:                                             ; preds = %989, %866
  %1115 = phi <4 x i32> [ %1110, %989 ], [ %714, %866 ]
  %1116 = phi <4 x i32> [ %1113, %989 ], [ %715, %866 ]
  %1117 = select i1 %718, <4 x i32> %986, <4 x i32> zeroinitializer
  %1118 = add <4 x i32> %1117, %716
  %1119 = select i1 %718, <4 x i32> %988, <4 x i32> zeroinitializer
  %1120 = add <4 x i32> %1119, %717
  %1121 = add i64 %720, 1
  %1122 = icmp slt i64 %1121, %450
  %1123 = icmp slt i64 %1121, %452
  %1124 = select i1 %1122, i1 true, i1 %1123
  br i1 %1124, label %713, label %1125

1125:                                             ; preds = %1114, %448
  %1126 = phi <4 x i32> [ %698, %448 ], [ %1115, %1114 ]
  %1127 = phi <4 x i32> [ %697, %448 ], [ %1116, %1114 ]
  %1128 = phi <4 x i32> [ %700, %448 ], [ %1118, %1114 ]
  %1129 = phi <4 x i32> [ %699, %448 ], [ %1120, %1114 ]
  %1130 = load ptr, ptr %12, align 8
  %1131 = icmp eq ptr %1130, null
  br i1 %1131, label %1356, label %1132

1132:                                             ; preds = %1125
  %1133 = shufflevector <4 x i32> %1127, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1134 = shufflevector <4 x i32> %1126, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1135 = shufflevector <4 x i32> %1133, <4 x i32> %1134, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1136 = shufflevector <4 x i32> %1133, <4 x i32> %1134, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1137 = shufflevector <4 x i32> %1129, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1138 = shufflevector <4 x i32> %1128, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1139 = shufflevector <4 x i32> %1137, <4 x i32> %1138, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1140 = shufflevector <4 x i32> %1137, <4 x i32> %1138, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1141 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1135, <4 x i32> %1136)
  %1142 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1141, <4 x i32> <i32 0, i32 0, i32 0, i32 768>)
  %1143 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1139, <4 x i32> %1140)
  %1144 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1143, <4 x i32> <i32 0, i32 0, i32 0, i32 768>)
  %1145 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1136, <4 x i32> <i32 -2147483648, i32 0, i32 0, i32 0>)
  %1146 = shufflevector <4 x i32> <i32 poison, i32 0, i32 0, i32 768>, <4 x i32> %1142, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1147 = add <4 x i32> %1145, %1146
  %1148 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1147, <4 x i32> %1142)
  %1149 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1140, <4 x i32> <i32 -2147483648, i32 0, i32 0, i32 0>)
  %1150 = shufflevector <4 x i32> <i32 poison, i32 0, i32 0, i32 768>, <4 x i32> %1144, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1151 = add <4 x i32> %1149, %1150
  %1152 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1151, <4 x i32> %1144)
  %1153 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> <i32 -2147483648, i32 0, i32 0, i32 0>, <4 x i32> <i32 0, i32 0, i32 0, i32 768>)
  %1154 = shufflevector <4 x i32> %1142, <4 x i32> %1148, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1155 = add <4 x i32> %1153, %1154
  %1156 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1155, <4 x i32> %1148)
  %1157 = shufflevector <4 x i32> %1144, <4 x i32> %1152, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1158 = add <4 x i32> %1153, %1157
  %1159 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1158, <4 x i32> %1152)
  %1160 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> <i32 0, i32 0, i32 0, i32 768>, <4 x i32> %1142)
  %1161 = shufflevector <4 x i32> %1148, <4 x i32> %1156, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1162 = add <4 x i32> %1160, %1161
  %1163 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1162, <4 x i32> %1156)
  %1164 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> <i32 0, i32 0, i32 0, i32 768>, <4 x i32> %1144)
  %1165 = shufflevector <4 x i32> %1152, <4 x i32> %1159, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1166 = add <4 x i32> %1164, %1165
  %1167 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1166, <4 x i32> %1159)
  %1168 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1142, <4 x i32> %1148)
  %1169 = shufflevector <4 x i32> %1156, <4 x i32> %1163, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1170 = add <4 x i32> %1168, %1169
  %1171 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1170, <4 x i32> %1163)
  %1172 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1144, <4 x i32> %1152)
  %1173 = shufflevector <4 x i32> %1159, <4 x i32> %1167, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1174 = add <4 x i32> %1172, %1173
  %1175 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1174, <4 x i32> %1167)
  %1176 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1148, <4 x i32> %1156)
  %1177 = shufflevector <4 x i32> %1163, <4 x i32> %1171, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1178 = add <4 x i32> %1176, %1177
  %1179 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1178, <4 x i32> %1171)
  %1180 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1152, <4 x i32> %1159)
  %1181 = shufflevector <4 x i32> %1167, <4 x i32> %1175, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1182 = add <4 x i32> %1180, %1181
  %1183 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1182, <4 x i32> %1175)
  %1184 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1156, <4 x i32> %1163)
  %1185 = shufflevector <4 x i32> %1171, <4 x i32> %1179, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1186 = add <4 x i32> %1184, %1185
  %1187 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1186, <4 x i32> %1179)
  %1188 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1159, <4 x i32> %1167)
  %1189 = shufflevector <4 x i32> %1175, <4 x i32> %1183, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1190 = add <4 x i32> %1188, %1189
  %1191 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1190, <4 x i32> %1183)
  %1192 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1163, <4 x i32> %1171)
  %1193 = shufflevector <4 x i32> %1179, <4 x i32> %1187, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1194 = add <4 x i32> %1192, %1193
  %1195 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1194, <4 x i32> %1187)
  %1196 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1167, <4 x i32> %1175)
  %1197 = shufflevector <4 x i32> %1183, <4 x i32> %1191, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1198 = add <4 x i32> %1196, %1197
  %1199 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1198, <4 x i32> %1191)
  %1200 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1171, <4 x i32> %1179)
  %1201 = shufflevector <4 x i32> %1187, <4 x i32> %1195, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1202 = add <4 x i32> %1200, %1201
  %1203 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1202, <4 x i32> %1195)
  %1204 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1175, <4 x i32> %1183)
  %1205 = shufflevector <4 x i32> %1191, <4 x i32> %1199, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1206 = add <4 x i32> %1204, %1205
  %1207 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1206, <4 x i32> %1199)
  %1208 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1179, <4 x i32> %1187)
  %1209 = shufflevector <4 x i32> %1195, <4 x i32> %1203, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1210 = add <4 x i32> %1208, %1209
  %1211 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1210, <4 x i32> %1203)
  %1212 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1183, <4 x i32> %1191)
  %1213 = shufflevector <4 x i32> %1199, <4 x i32> %1207, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1214 = add <4 x i32> %1212, %1213
  %1215 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1214, <4 x i32> %1207)
  %1216 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1187, <4 x i32> %1195)
  %1217 = shufflevector <4 x i32> %1203, <4 x i32> %1211, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1218 = add <4 x i32> %1216, %1217
  %1219 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1218, <4 x i32> %1211)
  %1220 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1191, <4 x i32> %1199)
  %1221 = shufflevector <4 x i32> %1207, <4 x i32> %1215, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1222 = add <4 x i32> %1220, %1221
  %1223 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1222, <4 x i32> %1215)
  %1224 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1195, <4 x i32> %1203)
  %1225 = shufflevector <4 x i32> %1211, <4 x i32> %1219, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1226 = add <4 x i32> %1224, %1225
  %1227 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1226, <4 x i32> %1219)
  %1228 = call <4 x i32> @llvm.x86.sha256msg1(<4 x i32> %1199, <4 x i32> %1207)
  %1229 = shufflevector <4 x i32> %1215, <4 x i32> %1223, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %1230 = add <4 x i32> %1228, %1229
  %1231 = call <4 x i32> @llvm.x86.sha256msg2(<4 x i32> %1230, <4 x i32> %1223)
  %1232 = add <4 x i32> %1135, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %1233 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %297, <4 x i32> %296, <4 x i32> %1232)
  %1234 = shufflevector <4 x i32> %1232, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1235 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %296, <4 x i32> %1233, <4 x i32> %1234)
  %1236 = add <4 x i32> %1136, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %1237 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1233, <4 x i32> %1235, <4 x i32> %1236)
  %1238 = shufflevector <4 x i32> %1236, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1239 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1235, <4 x i32> %1237, <4 x i32> %1238)
  %1240 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1237, <4 x i32> %1239, <4 x i32> <i32 1476897432, i32 310598401, i32 607225278, i32 1426881987>)
  %1241 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1239, <4 x i32> %1240, <4 x i32> <i32 607225278, i32 1426881987, i32 1476897432, i32 1476897432>)
  %1242 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1240, <4 x i32> %1241, <4 x i32> <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046743948>)
  %1243 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1241, <4 x i32> %1242, <4 x i32> <i32 -1680079193, i32 -1046743948, i32 1925078388, i32 1925078388>)
  %1244 = add <4 x i32> %1142, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %1245 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1242, <4 x i32> %1243, <4 x i32> %1244)
  %1246 = shufflevector <4 x i32> %1244, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1247 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1243, <4 x i32> %1245, <4 x i32> %1246)
  %1248 = add <4 x i32> %1148, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %1249 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1245, <4 x i32> %1247, <4 x i32> %1248)
  %1250 = shufflevector <4 x i32> %1248, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1251 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1247, <4 x i32> %1249, <4 x i32> %1250)
  %1252 = add <4 x i32> %1156, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %1253 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1249, <4 x i32> %1251, <4 x i32> %1252)
  %1254 = shufflevector <4 x i32> %1252, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1255 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1251, <4 x i32> %1253, <4 x i32> %1254)
  %1256 = add <4 x i32> %1163, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %1257 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1253, <4 x i32> %1255, <4 x i32> %1256)
  %1258 = shufflevector <4 x i32> %1256, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1259 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1255, <4 x i32> %1257, <4 x i32> %1258)
  %1260 = add <4 x i32> %1171, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %1261 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1257, <4 x i32> %1259, <4 x i32> %1260)
  %1262 = shufflevector <4 x i32> %1260, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1263 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1259, <4 x i32> %1261, <4 x i32> %1262)
  %1264 = add <4 x i32> %1179, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %1265 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1261, <4 x i32> %1263, <4 x i32> %1264)
  %1266 = shufflevector <4 x i32> %1264, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1267 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1263, <4 x i32> %1265, <4 x i32> %1266)
  %1268 = add <4 x i32> %1187, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %1269 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1265, <4 x i32> %1267, <4 x i32> %1268)
  %1270 = shufflevector <4 x i32> %1268, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1271 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1267, <4 x i32> %1269, <4 x i32> %1270)
  %1272 = add <4 x i32> %1195, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %1273 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1269, <4 x i32> %1271, <4 x i32> %1272)
  %1274 = shufflevector <4 x i32> %1272, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1275 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1271, <4 x i32> %1273, <4 x i32> %1274)
  %1276 = add <4 x i32> %1203, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %1277 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1273, <4 x i32> %1275, <4 x i32> %1276)
  %1278 = shufflevector <4 x i32> %1276, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1279 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1275, <4 x i32> %1277, <4 x i32> %1278)
  %1280 = add <4 x i32> %1211, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %1281 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1277, <4 x i32> %1279, <4 x i32> %1280)
  %1282 = shufflevector <4 x i32> %1280, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1283 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1279, <4 x i32> %1281, <4 x i32> %1282)
  %1284 = add <4 x i32> %1219, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %1285 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1281, <4 x i32> %1283, <4 x i32> %1284)
  %1286 = shufflevector <4 x i32> %1284, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1287 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1283, <4 x i32> %1285, <4 x i32> %1286)
  %1288 = add <4 x i32> %1227, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %1289 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1285, <4 x i32> %1287, <4 x i32> %1288)
  %1290 = shufflevector <4 x i32> %1288, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1291 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1287, <4 x i32> %1289, <4 x i32> %1290)
  %1292 = add <4 x i32> %1139, <i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723>
  %1293 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %297, <4 x i32> %296, <4 x i32> %1292)
  %1294 = shufflevector <4 x i32> %1292, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1295 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %296, <4 x i32> %1293, <4 x i32> %1294)
  %1296 = add <4 x i32> %1140, <i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075>
  %1297 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1293, <4 x i32> %1295, <4 x i32> %1296)
  %1298 = shufflevector <4 x i32> %1296, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1299 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1295, <4 x i32> %1297, <4 x i32> %1298)
  %1300 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1297, <4 x i32> %1299, <4 x i32> <i32 1476897432, i32 310598401, i32 607225278, i32 1426881987>)
  %1301 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1299, <4 x i32> %1300, <4 x i32> <i32 607225278, i32 1426881987, i32 1476897432, i32 1476897432>)
  %1302 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1300, <4 x i32> %1301, <4 x i32> <i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046743948>)
  %1303 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1301, <4 x i32> %1302, <4 x i32> <i32 -1680079193, i32 -1046743948, i32 1925078388, i32 1925078388>)
  %1304 = add <4 x i32> %1144, <i32 -459576895, i32 -272742522, i32 264347078, i32 604807628>
  %1305 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1302, <4 x i32> %1303, <4 x i32> %1304)
  %1306 = shufflevector <4 x i32> %1304, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1307 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1303, <4 x i32> %1305, <4 x i32> %1306)
  %1308 = add <4 x i32> %1152, <i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986>
  %1309 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1305, <4 x i32> %1307, <4 x i32> %1308)
  %1310 = shufflevector <4 x i32> %1308, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1311 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1307, <4 x i32> %1309, <4 x i32> %1310)
  %1312 = add <4 x i32> %1159, <i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625>
  %1313 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1309, <4 x i32> %1311, <4 x i32> %1312)
  %1314 = shufflevector <4 x i32> %1312, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1315 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1311, <4 x i32> %1313, <4 x i32> %1314)
  %1316 = add <4 x i32> %1167, <i32 -958395405, i32 -710438585, i32 113926993, i32 338241895>
  %1317 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1313, <4 x i32> %1315, <4 x i32> %1316)
  %1318 = shufflevector <4 x i32> %1316, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1319 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1315, <4 x i32> %1317, <4 x i32> %1318)
  %1320 = add <4 x i32> %1175, <i32 666307205, i32 773529912, i32 1294757372, i32 1396182291>
  %1321 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1317, <4 x i32> %1319, <4 x i32> %1320)
  %1322 = shufflevector <4 x i32> %1320, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1323 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1319, <4 x i32> %1321, <4 x i32> %1322)
  %1324 = add <4 x i32> %1183, <i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259>
  %1325 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1321, <4 x i32> %1323, <4 x i32> %1324)
  %1326 = shufflevector <4 x i32> %1324, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1327 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1323, <4 x i32> %1325, <4 x i32> %1326)
  %1328 = add <4 x i32> %1191, <i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525>
  %1329 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1325, <4 x i32> %1327, <4 x i32> %1328)
  %1330 = shufflevector <4 x i32> %1328, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1331 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1327, <4 x i32> %1329, <4 x i32> %1330)
  %1332 = add <4 x i32> %1199, <i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344>
  %1333 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1329, <4 x i32> %1331, <4 x i32> %1332)
  %1334 = shufflevector <4 x i32> %1332, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1335 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1331, <4 x i32> %1333, <4 x i32> %1334)
  %1336 = add <4 x i32> %1207, <i32 430227734, i32 506948616, i32 659060556, i32 883997877>
  %1337 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1333, <4 x i32> %1335, <4 x i32> %1336)
  %1338 = shufflevector <4 x i32> %1336, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1339 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1335, <4 x i32> %1337, <4 x i32> %1338)
  %1340 = add <4 x i32> %1215, <i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779>
  %1341 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1337, <4 x i32> %1339, <4 x i32> %1340)
  %1342 = shufflevector <4 x i32> %1340, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1343 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1339, <4 x i32> %1341, <4 x i32> %1342)
  %1344 = add <4 x i32> %1223, <i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872>
  %1345 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1341, <4 x i32> %1343, <4 x i32> %1344)
  %1346 = shufflevector <4 x i32> %1344, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1347 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1343, <4 x i32> %1345, <4 x i32> %1346)
  %1348 = add <4 x i32> %1231, <i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998>
  %1349 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1345, <4 x i32> %1347, <4 x i32> %1348)
  %1350 = shufflevector <4 x i32> %1348, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 0>
  %1351 = call <4 x i32> @llvm.x86.sha256rnds2(<4 x i32> %1347, <4 x i32> %1349, <4 x i32> %1350)
  %1352 = add <4 x i32> %1291, %296
  %1353 = add <4 x i32> %1289, %297
  %1354 = add <4 x i32> %1351, %296
  %1355 = add <4 x i32> %1349, %297
  br label %1356

1356:                                             ; preds = %1132, %1125
  %1357 = phi <4 x i32> [ %1126, %1125 ], [ %1353, %1132 ]
  %1358 = phi <4 x i32> [ %1127, %1125 ], [ %1352, %1132 ]
  %1359 = phi <4 x i32> [ %1128, %1125 ], [ %1355, %1132 ]
  %1360 = phi <4 x i32> [ %1129, %1125 ], [ %1354, %1132 ]
  %1361 = load i64, ptr %298, align 8
  %1362 = icmp eq i64 %1361, 0
  %1363 = shl i64 %413, %307
  %1364 = getelementptr inbounds i8, ptr %336, i64 %1363
  br i1 %1362, label %1424, label %1365

1365:                                             ; preds = %1356
  %1366 = shufflevector <4 x i32> %1358, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1367 = shufflevector <4 x i32> %1357, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1368 = shufflevector <4 x i32> %1366, <4 x i32> %1367, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1369 = shufflevector <4 x i32> %1366, <4 x i32> %1367, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1370 = bitcast <4 x i32> %1369 to <16 x i8>
  %1371 = bitcast <4 x i32> %1368 to <16 x i8>
  %1372 = shufflevector <16 x i8> %1371, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1372, ptr %3, align 16
  %1373 = shufflevector <16 x i8> %1370, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1373, ptr %320, align 16
  br label %1374

1374:                                             ; preds = %1374, %1365
  %1375 = phi i1 [ true, %1365 ], [ false, %1374 ]
  %1376 = phi i64 [ 0, %1365 ], [ 1, %1374 ]
  %1377 = shl i64 %1376, 4
  %1378 = getelementptr inbounds i8, ptr %3, i64 %1377
  %1379 = load <2 x i64>, ptr %1378, align 16
  %1380 = bitcast <2 x i64> %1379 to <8 x i16>
  %1381 = lshr <8 x i16> %1380, splat (i16 4)
  %1382 = bitcast <8 x i16> %1381 to <16 x i8>
  %1383 = and <16 x i8> %1382, splat (i8 15)
  %1384 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %1383)
  %1385 = bitcast <2 x i64> %1379 to <16 x i8>
  %1386 = and <16 x i8> %1385, splat (i8 15)
  %1387 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %1386)
  %1388 = shl i64 %1376, 5
  %1389 = getelementptr inbounds i8, ptr %1364, i64 %1388
  %1390 = shufflevector <16 x i8> %1384, <16 x i8> %1387, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  store <16 x i8> %1390, ptr %1389, align 1
  %1391 = getelementptr inbounds i8, ptr %1389, i64 16
  %1392 = shufflevector <16 x i8> %1384, <16 x i8> %1387, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  store <16 x i8> %1392, ptr %1391, align 1
  br i1 %1375, label %1374, label %1393

1393:                                             ; preds = %1374
  %1394 = shl i64 %419, %307
  %1395 = getelementptr inbounds i8, ptr %336, i64 %1394
  %1396 = shufflevector <4 x i32> %1360, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1397 = shufflevector <4 x i32> %1359, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1398 = shufflevector <4 x i32> %1396, <4 x i32> %1397, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1399 = shufflevector <4 x i32> %1396, <4 x i32> %1397, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1400 = bitcast <4 x i32> %1399 to <16 x i8>
  %1401 = bitcast <4 x i32> %1398 to <16 x i8>
  %1402 = shufflevector <16 x i8> %1401, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1402, ptr %2, align 16
  %1403 = shufflevector <16 x i8> %1400, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1403, ptr %321, align 16
  br label %1404

1404:                                             ; preds = %1404, %1393
  %1405 = phi i1 [ true, %1393 ], [ false, %1404 ]
  %1406 = phi i64 [ 0, %1393 ], [ 1, %1404 ]
  %1407 = shl i64 %1406, 4
  %1408 = getelementptr inbounds i8, ptr %2, i64 %1407
  %1409 = load <2 x i64>, ptr %1408, align 16
  %1410 = bitcast <2 x i64> %1409 to <8 x i16>
  %1411 = lshr <8 x i16> %1410, splat (i16 4)
  %1412 = bitcast <8 x i16> %1411 to <16 x i8>
  %1413 = and <16 x i8> %1412, splat (i8 15)
  %1414 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %1413)
  %1415 = bitcast <2 x i64> %1409 to <16 x i8>
  %1416 = and <16 x i8> %1415, splat (i8 15)
  %1417 = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> <i8 48, i8 49, i8 50, i8 51, i8 52, i8 53, i8 54, i8 55, i8 56, i8 57, i8 97, i8 98, i8 99, i8 100, i8 101, i8 102>, <16 x i8> %1416)
  %1418 = shl i64 %1406, 5
  %1419 = getelementptr inbounds i8, ptr %1395, i64 %1418
  %1420 = shufflevector <16 x i8> %1414, <16 x i8> %1417, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
  store <16 x i8> %1420, ptr %1419, align 1
  %1421 = getelementptr inbounds i8, ptr %1419, i64 16
  %1422 = shufflevector <16 x i8> %1414, <16 x i8> %1417, <16 x i32> <i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  store <16 x i8> %1422, ptr %1421, align 1
  br i1 %1405, label %1404, label %1423

1423:                                             ; preds = %1404
  br label %1445

1424:                                             ; preds = %1356
  %1425 = shufflevector <4 x i32> %1358, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1426 = shufflevector <4 x i32> %1357, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1427 = shufflevector <4 x i32> %1425, <4 x i32> %1426, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1428 = shufflevector <4 x i32> %1425, <4 x i32> %1426, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1429 = bitcast <4 x i32> %1428 to <16 x i8>
  %1430 = bitcast <4 x i32> %1427 to <16 x i8>
  %1431 = shufflevector <16 x i8> %1430, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1431, ptr %1364, align 1
  %1432 = getelementptr inbounds i8, ptr %1364, i64 16
  %1433 = shufflevector <16 x i8> %1429, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1433, ptr %1432, align 1
  %1434 = shl i64 %419, %307
  %1435 = getelementptr inbounds i8, ptr %336, i64 %1434
  %1436 = shufflevector <4 x i32> %1360, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %1437 = shufflevector <4 x i32> %1359, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %1438 = shufflevector <4 x i32> %1436, <4 x i32> %1437, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %1439 = shufflevector <4 x i32> %1436, <4 x i32> %1437, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %1440 = bitcast <4 x i32> %1439 to <16 x i8>
  %1441 = bitcast <4 x i32> %1438 to <16 x i8>
  %1442 = shufflevector <16 x i8> %1441, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1442, ptr %1435, align 1
  %1443 = getelementptr inbounds i8, ptr %1435, i64 16
  %1444 = shufflevector <16 x i8> %1440, <16 x i8> poison, <16 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4, i32 11, i32 10, i32 9, i32 8, i32 15, i32 14, i32 13, i32 12>
  store <16 x i8> %1444, ptr %1443, align 1
  br label %1445

1445:                                             ; preds = %1424, %1423
  %1446 = add i64 %413, 2
  %1447 = icmp slt i64 %1446, %327
  br i1 %1447, label %412, label %406
}

declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)

declare i64 @llvm.bswap.i64(i64)

declare <4 x i32> @llvm.x86.sha256msg1(<4 x i32>, <4 x i32>)

declare <4 x i32> @llvm.x86.sha256msg2(<4 x i32>, <4 x i32>)

declare <4 x i32> @llvm.x86.sha256rnds2(<4 x i32>, <4 x i32>, <4 x i32>)

declare i64 @llvm.smin.i64(i64, i64)
